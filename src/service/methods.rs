//! The methods that answer here, each with its place in tables.

use crate::api::proto as pb;
use prost::Message;
use prost_types::{FileDescriptorSet, MethodDescriptorProto};
use std::collections::HashMap;

/// A method, or what stands for all that do not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Method {
    /// The full name of its service, for example `draughts.v1.RulesService`.
    pub(super) service: String,
    pub(super) name: String,
    /// Whether one message or a stream goes each way, in the words of go-grpc-middleware.
    pub(super) kind: &'static str,
}

/// All methods, by index and by path.
#[derive(Debug)]
pub(super) struct Methods {
    all: Vec<Method>,
    by_path: HashMap<String, usize>,
}

/// The name of everything that is no method of ours: paths are a stranger's text, and may not fill tables.
const OTHER: &str = "other";

impl Methods {
    /// Those of our own service, of health and of reflection.
    pub(super) fn new() -> Methods {
        let mut all = Vec::new();
        let sets = [
            pb::DESCRIPTOR,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ];
        for set in sets {
            // These were compiled into the binary; tests read them too.
            let files = FileDescriptorSet::decode(set).unwrap_or_default().file;
            for (package, service) in files.iter().flat_map(|file| {
                let package = file.package().to_owned();
                file.service.iter().map(move |service| (package.clone(), service))
            }) {
                let service_name = format!("{package}.{}", service.name());
                all.extend(service.method.iter().map(|method| Method {
                    service: service_name.clone(),
                    name: method.name().to_owned(),
                    kind: kind_of(method),
                }));
            }
        }
        let paths = all.iter().map(|method| format!("/{}/{}", method.service, method.name));
        let by_path = paths.zip(0..).collect();
        all.push(Method { service: OTHER.to_owned(), name: OTHER.to_owned(), kind: "unary" });
        Methods { all, by_path }
    }

    /// All of them; the last stands for what does not exist.
    pub(super) fn all(&self) -> &[Method] {
        &self.all
    }

    /// The index of the method of this path; the last if there is none.
    pub(super) fn index(&self, path: &str) -> usize {
        self.by_path.get(path).copied().unwrap_or(self.all.len() - 1)
    }
}

fn kind_of(method: &MethodDescriptorProto) -> &'static str {
    match (method.client_streaming(), method.server_streaming()) {
        (false, false) => "unary",
        (true, false) => "client_stream",
        (false, true) => "server_stream",
        (true, true) => "bidi_stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_path_and_the_rest_is_one() {
        let methods = Methods::new();
        let kind = |path: &str| {
            let Method { name, kind, .. } = &methods.all()[methods.index(path)];
            format!("{name} {kind}")
        };
        assert_eq!(kind("/draughts.v1.RulesService/ApplyMove"), "ApplyMove unary");
        assert_eq!(kind("/draughts.v1.RulesService/ImportGames"), "ImportGames server_stream");
        assert_eq!(kind("/grpc.health.v1.Health/Watch"), "Watch server_stream");
        assert_eq!(
            kind("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"),
            "ServerReflectionInfo bidi_stream"
        );
        assert_eq!(kind("/draughts.v1.RulesService/Castle"), "other unary");
        assert_eq!(methods.by_path.len() + 1, methods.all().len(), "no path stands twice");
    }
}
