//! The gRPC service: the RPCs, and everything about running them.

mod admin;
mod call;
pub mod config;
mod connection;
pub mod connections;
mod deadline;
mod descriptors;
mod explain;
mod health;
mod heavy;
mod held;
mod identity;
mod logs;
mod messages;
mod methods;
mod metrics;
mod perft;
mod serving_limits;
mod told;

pub use health::check as healthcheck;
pub use logs::start as start_logs;

use crate::api::fault::Fault;
use crate::api::limits::{INLINE_PLIES, INLINE_STEPS, MAX_BATCH_STEPS, MAX_REQUEST_BYTES, MAX_STEPS};
use crate::api::proto as pb;
use crate::api::proto::rules_service_server::{RulesService, RulesServiceServer};
use crate::api::replay::Import;
use crate::api::{answer, batch};
use crate::rules::Budget;
use futures_util::FutureExt;
use heavy::{Heavy, Place, Stop};
use held::Held;
use metrics::{Metrics, Shed};
use std::future::Future;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use told::Told;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

/// The answers of a stream, to its maker and to its sender.
type Answers<A> = mpsc::Sender<Result<A, Status>>;
type AnswerStream<A> = ReceiverStream<Result<A, Status>>;

/// The RPCs.
#[derive(Clone)]
struct Authority {
    heavy: Heavy,
    /// Places for imports: each keeps a text and some answers for as long as its client takes to read.
    imports: Arc<Semaphore>,
    /// Where perft is counted, if it is: apart from other heavy work, which must not wait for it, and each by a thread that
    /// gives way to all others.
    perft: Option<Heavy>,
    metrics: Arc<Metrics>,
    limits: pb::ServingLimits,
}

impl Authority {
    /// Answers on this thread what is light, and in the pool what is not.
    async fn answer<Q, A>(
        &self,
        request: Q,
        game: impl Fn(&Q) -> Option<&pb::Game>,
        compute: fn(&Q, &mut Budget) -> Result<A, Fault>,
    ) -> Result<Response<A>, Status>
    where
        Q: Send + 'static,
        A: Told + Send + 'static,
    {
        let mut spent = 0;
        if game(&request).is_none_or(|game| game.moves.len() <= INLINE_PLIES) {
            // A panic must not take the other calls of the connection with it.
            match catch_unwind(AssertUnwindSafe(|| compute(&request, &mut Budget::new(INLINE_STEPS)))) {
                Ok(Err(Fault::TooComplex)) => spent = INLINE_STEPS,
                Ok(light) => return self.told(light),
                Err(_) => {
                    self.metrics.panics.inc();
                    return Err(Fault::Internal.into());
                }
            }
        }
        let work = move |stop| compute(&request, &mut Budget::until(MAX_STEPS - spent, stop));
        self.heavy_answer(work).await
    }

    /// Answers in the pool.
    async fn heavy_answer<A: Told + Send + 'static>(
        &self,
        work: impl FnOnce(Stop) -> Result<A, Fault> + Send + 'static,
    ) -> Result<Response<A>, Status> {
        let (answer, held) = self.heavy.run(work).await?;
        let mut response = self.told(Ok(answer))?;
        response.extensions_mut().insert(held);
        Ok(response)
    }

    /// A stream of answers that a task of its own makes. The place is held until it has ended and all is sent.
    fn stream<A, F>(&self, place: Held, make: impl FnOnce(Answers<A>) -> F) -> Response<AnswerStream<A>>
    where
        A: Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let (answers, stream) = mpsc::channel(1);
        let mut response = Response::new(ReceiverStream::new(stream));
        response.extensions_mut().insert(place.clone());
        let made = AssertUnwindSafe(make(answers.clone())).catch_unwind();
        let metrics = Arc::clone(&self.metrics);
        tokio::spawn(async move {
            let _place = place;
            if made.await.is_err() {
                // An end without a word would say that these were all answers.
                metrics.panics.inc();
                answers.send(Err(Fault::Internal.into())).await.ok();
            }
        });
        response
    }

    /// An answer as tonic wants it.
    fn told<A: Told>(&self, outcome: Result<A, Fault>) -> Result<Response<A>, Status> {
        let answer = outcome.map_err(Status::from)?;
        self.metrics.told(&answer);
        Ok(Response::new(answer))
    }

    /// Reads one game after the other, for as long as the client listens. Each is a piece of work of its own; while the client
    /// is slow to take an answer, it holds no place.
    async fn send_imports(
        &self,
        mut import: Import,
        mut place: Place,
        answers: Answers<pb::ImportGamesResponse>,
    ) {
        loop {
            // A client that leaves is noticed while its game is played.
            let played = tokio::select! {
                played = place.run(move |stop| import.next(&mut Budget::until(MAX_STEPS, stop))) => played,
                () = answers.closed() => return,
            };
            let answer = match played {
                Ok((None, _)) => return,
                Ok((Some((answer, rest)), _)) => {
                    import = rest;
                    answer
                }
                Err(fault) => {
                    answers.send(Err(fault.into())).await.ok();
                    return;
                }
            };
            self.metrics.told(&answer);
            if answers.send(Ok(answer)).await.is_err() {
                return;
            }
            place = match self.heavy.enter_again().await {
                Ok(place) => place,
                Err(fault) => {
                    answers.send(Err(fault.into())).await.ok();
                    return;
                }
            };
        }
    }
}

#[tonic::async_trait]
impl RulesService for Authority {
    async fn list_variants(
        &self,
        _: Request<pb::ListVariantsRequest>,
    ) -> Result<Response<pb::ListVariantsResponse>, Status> {
        Ok(Response::new(answer::list_variants()))
    }

    async fn get_variant(
        &self,
        request: Request<pb::GetVariantRequest>,
    ) -> Result<Response<pb::GetVariantResponse>, Status> {
        Ok(Response::new(answer::get_variant(request.get_ref())?))
    }

    async fn generate_legal_moves(
        &self,
        request: Request<pb::GenerateLegalMovesRequest>,
    ) -> Result<Response<pb::GenerateLegalMovesResponse>, Status> {
        self.answer(request.into_inner(), |request| request.game.as_ref(), answer::generate_legal_moves).await
    }

    async fn apply_move(
        &self,
        request: Request<pb::ApplyMoveRequest>,
    ) -> Result<Response<pb::ApplyMoveResponse>, Status> {
        self.answer(request.into_inner(), |request| request.game.as_ref(), answer::apply_move).await
    }

    async fn batch_generate_legal_moves(
        &self,
        request: Request<pb::BatchGenerateLegalMovesRequest>,
    ) -> Result<Response<pb::BatchGenerateLegalMovesResponse>, Status> {
        let request = request.into_inner();
        let work =
            move |stop| batch::generate_legal_moves(&request, &mut Budget::until(MAX_BATCH_STEPS, stop));
        self.heavy_answer(work).await
    }

    async fn batch_apply_move(
        &self,
        request: Request<pb::BatchApplyMoveRequest>,
    ) -> Result<Response<pb::BatchApplyMoveResponse>, Status> {
        let request = request.into_inner();
        let work = move |stop| batch::apply_move(&request, &mut Budget::until(MAX_BATCH_STEPS, stop));
        self.heavy_answer(work).await
    }

    async fn determine_result(
        &self,
        request: Request<pb::DetermineResultRequest>,
    ) -> Result<Response<pb::DetermineResultResponse>, Status> {
        self.answer(request.into_inner(), |request| request.game.as_ref(), answer::determine_result).await
    }

    async fn validate_position(
        &self,
        request: Request<pb::ValidatePositionRequest>,
    ) -> Result<Response<pb::ValidatePositionResponse>, Status> {
        self.answer(request.into_inner(), |request| request.game.as_ref(), answer::validate_position).await
    }

    async fn replay_game(
        &self,
        request: Request<pb::ReplayGameRequest>,
    ) -> Result<Response<pb::ReplayGameResponse>, Status> {
        let request = request.into_inner();
        let work = move |stop| answer::replay_game(&request, &mut Budget::until(MAX_STEPS, stop));
        self.heavy_answer(work).await
    }

    type ImportGamesStream = AnswerStream<pb::ImportGamesResponse>;

    async fn import_games(
        &self,
        request: Request<pb::ImportGamesRequest>,
    ) -> Result<Response<Self::ImportGamesStream>, Status> {
        let open = Arc::clone(&self.imports).try_acquire_owned();
        let open = open.map_err(|_| {
            self.metrics.shed(Shed::Imports);
            Fault::Overloaded { resource: Shed::Imports.name() }
        })?;
        let (import, place) = (Import::new(request.get_ref())?, self.heavy.enter()?);
        let authority = self.clone();
        let send = |answers| async move { authority.send_imports(import, place, answers).await };
        Ok(self.stream(Held::new(open), send))
    }

    type RunPerftStream = AnswerStream<pb::RunPerftResponse>;

    async fn run_perft(
        &self,
        request: Request<pb::RunPerftRequest>,
    ) -> Result<Response<Self::RunPerftStream>, Status> {
        let began = Instant::now();
        let off = Fault::SwitchedOff { method: "RunPerft", option: "--perft" };
        let place = self.perft.as_ref().ok_or(off)?.enter()?;
        let held = place.held();
        Ok(self.stream(held, |answers| perft::send(request.into_inner(), place, began, answers)))
    }

    async fn get_server_info(
        &self,
        _: Request<pb::GetServerInfoRequest>,
    ) -> Result<Response<pb::GetServerInfoResponse>, Status> {
        Ok(Response::new(answer::get_server_info(self.limits)))
    }
}

/// Everything that answers on the service port.
fn routes(config: &config::Config, health: health::Server, metrics: &Arc<Metrics>) -> io::Result<Routes> {
    let perft = config.perft_calls;
    let pool = |full, places, threads| Heavy::new(full, places, threads, Arc::clone(metrics));
    let authority = Authority {
        heavy: pool(Shed::HeavyCalls, config.heavy_calls, config.thread_count().get())?,
        perft: config.perft.then(|| pool(Shed::Perft, perft, perft)).transpose()?,
        imports: Arc::new(Semaphore::new(config.imports)),
        metrics: Arc::clone(metrics),
        limits: config.into(),
    };
    let rules = RulesServiceServer::new(authority)
        .max_decoding_message_size(MAX_REQUEST_BYTES)
        .accept_compressed(CompressionEncoding::Gzip)
        .accept_compressed(CompressionEncoding::Zstd);
    let mut routes = Routes::new(rules).add_service(health);
    if config.reflection {
        // Packaged tools still ask for v1alpha; new ones ask for v1.
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(pb::DESCRIPTOR)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
                .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET) // error details
        };
        let v1 = reflection().build_v1().map_err(io::Error::other)?;
        let v1alpha = reflection().build_v1alpha().map_err(io::Error::other)?;
        routes = routes
            .add_service(v1.max_decoding_message_size(MAX_REQUEST_BYTES))
            .add_service(v1alpha.max_decoding_message_size(MAX_REQUEST_BYTES));
    }
    Ok(routes.prepare())
}
