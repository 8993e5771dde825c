//! Moves as requests have them.

use super::super::limits::{MAX_PATH_SQUARES, MAX_TEXT_BYTES};
use super::within;
use crate::api::encode::illegal;
use crate::api::fault::{Fault, FieldFault};
use crate::api::proto as pb;
use crate::rules::notation::move_text;
use crate::rules::{
    Budget, ChooseError, Chosen, MoveClaim, Place, Position, Ruleset, Square, SquareSet, Way, choose,
};

/// A move that the request must have.
pub(in crate::api) fn require_move(input: Option<&pb::MoveInput>, field: &str, faults: &mut Vec<FieldFault>) {
    if input.and_then(|input| input.form.as_ref()).is_none() {
        faults.push(FieldFault::required(field));
    }
}

/// The legal move that an input means.
pub(in crate::api) fn chosen(
    position: &Position,
    input: Option<&pb::MoveInput>,
    path: &str,
    budget: &mut Budget,
) -> Result<Chosen, Fault> {
    let form = input.and_then(|input| input.form.as_ref());
    let required = |field: String| Fault::InvalidFields(vec![FieldFault::required(field)]);
    let (claim, field) = match form.ok_or_else(|| required(path.to_owned()))? {
        pb::move_input::Form::Move(listed) => {
            let field = format!("{path}.move");
            (listed_claim(position.ruleset(), listed, &field)?, field)
        }
        pb::move_input::Form::Text(text) => {
            let field = format!("{path}.text");
            (text_claim(position.ruleset(), text, &field)?, field)
        }
        pb::move_input::Form::Path(squares) => {
            let field = format!("{path}.path.squares");
            let squares = self::squares(position.ruleset(), &squares.squares, &field)?;
            (MoveClaim::along(&squares).ok_or_else(|| required(field.clone()))?, field)
        }
    };
    choose(position, &claim, budget).map_err(|error| refused(position, error, field))
}

fn listed_claim(ruleset: &Ruleset, listed: &pb::Move, field: &str) -> Result<MoveClaim, Fault> {
    let to = listed.to_square.map(|to| square(ruleset, to, || format!("{field}.to_square"))).transpose()?;
    let captured = squares(ruleset, &listed.captured, &format!("{field}.captured"))?;
    let mut landings = squares(ruleset, &listed.landings, &format!("{field}.landings"))?;
    let way = match landings.pop() {
        None => Way::Through(Vec::new()),
        Some(last) if Some(last) == to => Way::Exactly(landings),
        Some(_) => {
            let fault = FieldFault {
                description: format!("{field}.landings must end at {field}.to_square"),
                reason: "MISMATCH",
                field: format!("{field}.landings"),
            };
            return Err(Fault::InvalidFields(vec![fault]));
        }
    };
    Ok(MoveClaim {
        from: square(ruleset, listed.from_square, || format!("{field}.from_square"))?,
        to,
        way,
        captured: (!captured.is_empty()).then(|| captured.into_iter().collect::<SquareSet>()),
        is_capture: false,
    })
}

fn text_claim(ruleset: &Ruleset, text: &str, field: &str) -> Result<MoveClaim, Fault> {
    within("max_text_bytes", MAX_TEXT_BYTES, text.len())?;
    let parsed =
        move_text::parse(text).map_err(|error| Fault::MalformedMove { field: field.to_owned(), error })?;
    within("max_path_squares", MAX_PATH_SQUARES, parsed.places.len())?;
    parsed.on(ruleset).map_err(|place| no_such_square(field.to_owned(), place))
}

fn no_such_square(field: String, place: Place) -> Fault {
    Fault::NoSuchSquare { field, square: place.to_string() }
}

fn square(ruleset: &Ruleset, number: u32, field: impl FnOnce() -> String) -> Result<Square, Fault> {
    ruleset.board().square(number).ok_or_else(|| no_such_square(field(), Place::Number(number)))
}

/// The squares of a path.
pub(in crate::api) fn squares(ruleset: &Ruleset, numbers: &[u32], field: &str) -> Result<Vec<Square>, Fault> {
    within("max_path_squares", MAX_PATH_SQUARES, numbers.len())?;
    let numbered = numbers.iter().enumerate();
    numbered.map(|(index, &number)| square(ruleset, number, || format!("{field}[{index}]"))).collect()
}

fn refused(position: &Position, error: ChooseError, field: String) -> Fault {
    match error {
        ChooseError::TooComplex(_) => Fault::TooComplex,
        ChooseError::Illegal(illegal) => {
            Fault::IllegalMove { field, illegal: Box::new(illegal::illegal(position, &illegal)) }
        }
        ChooseError::Ambiguous { candidates, legal_moves } => Fault::AmbiguousMove {
            field,
            matches: candidates.len(),
            illegal: Box::new(illegal::ambiguous(position, &candidates, &legal_moves)),
        },
    }
}
