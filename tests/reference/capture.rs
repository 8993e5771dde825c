//! Every way to play a capture to its end, before any precedence.
//!
//! The position is never changed: [`Run`] remembers what one capture has done to it so far.

use super::board::{Color, Dir, Piece, Role, Square};
use super::params::{Landing, Params, PromotionInCapture, Range, Removal};
use super::position::Position;

/// A finished capture along one path.
#[derive(Clone, Debug)]
pub struct Capture {
    pub from: Square,
    pub role_before: Role,
    pub role_after: Role,
    /// In the order in which they were jumped.
    pub victims: Vec<Square>,
    /// For each victim: was it a king?
    pub kings: Vec<bool>,
    /// Where each jump landed.
    pub landings: Vec<Square>,
}

impl Capture {
    pub fn to(&self) -> Square {
        *self.landings.last().expect("a capture has a jump")
    }
}

/// All captures of the side to move; None if they take more than `cap` jumps to find.
pub fn captures(params: &Params, position: &Position, cap: usize) -> Option<Vec<Capture>> {
    let mut found = Vec::new();
    let mut steps_left = cap;
    for (from, piece) in position.movers() {
        let hunt = Hunt::new(params, position, from, piece);
        hunt.follow(&Run::begin(from, piece.role), &mut steps_left, &mut found)?;
    }
    Some(found)
}

pub fn can_capture(params: &Params, position: &Position) -> bool {
    position
        .movers()
        .into_iter()
        .any(|(from, piece)| Hunt::new(params, position, from, piece).can_jump(&Run::begin(from, piece.role)))
}

/// What stays the same during all captures of one piece.
struct Hunt<'a> {
    params: &'a Params,
    position: &'a Position,
    from: Square,
    piece: Piece,
}

/// One capture under way.
#[derive(Clone)]
struct Run {
    at: Square,
    role: Role,
    last_dir: Option<Dir>,
    victims: Vec<Square>,
    landings: Vec<Square>,
    /// The piece may not jump on, whatever the board offers.
    over: bool,
}

impl Run {
    fn begin(from: Square, role: Role) -> Run {
        Run { at: from, role, last_dir: None, victims: Vec::new(), landings: Vec::new(), over: false }
    }
}

/// One jump, and where it may end.
struct Jump {
    dir: Dir,
    victim: Square,
    landings: Vec<Square>,
}

/// What a jumping piece meets on a square.
enum Sight {
    Empty,
    Enemy(Role),
    /// An own piece, or a captured one that still stands there.
    Wall,
}

impl<'a> Hunt<'a> {
    fn new(params: &'a Params, position: &'a Position, from: Square, piece: Piece) -> Hunt<'a> {
        Hunt { params, position, from, piece }
    }

    /// Plays the capture on in every way, and notes each way at its end.
    fn follow(&self, run: &Run, steps_left: &mut usize, found: &mut Vec<Capture>) -> Option<()> {
        let jumps = self.jumps(run);
        let may_end = jumps.is_empty() || self.params.voluntary_stop;
        if may_end && !run.landings.is_empty() {
            found.push(self.finish(run));
        }
        for jump in jumps {
            for &landing in &jump.landings {
                *steps_left = steps_left.checked_sub(1)?;
                let next = self.after(run, &jump, landing);
                self.follow(&next, steps_left, found)?;
            }
        }
        Some(())
    }

    /// The jumps that the rules allow next.
    fn jumps(&self, run: &Run) -> Vec<Jump> {
        let mut jumps = self.possible_jumps(run);
        if run.role == Role::King && self.landing() == Landing::Duty {
            for jump in &mut jumps {
                self.keep_landings_that_go_on(run, jump);
            }
        }
        jumps
    }

    /// The landing duty (rules.md 2.2): if one landing square allows a further jump, the king
    /// must land on such a square.
    fn keep_landings_that_go_on(&self, run: &Run, jump: &mut Jump) {
        let goes_on = |&landing: &Square| self.can_jump(&self.after(run, jump, landing));
        let going_on: Vec<Square> = jump.landings.iter().copied().filter(goes_on).collect();
        if !going_on.is_empty() {
            jump.landings = going_on;
        }
    }

    fn can_jump(&self, run: &Run) -> bool {
        !self.possible_jumps(run).is_empty()
    }

    /// The jumps that the board allows next, the landing duty aside.
    fn possible_jumps(&self, run: &Run) -> Vec<Jump> {
        if run.over {
            return Vec::new();
        }
        let dirs = self.params.dirs(self.piece.color, self.jump_dirs(run));
        dirs.into_iter()
            .filter(|&dir| self.may_turn(run.last_dir, dir))
            .filter_map(|dir| self.jump(run, dir))
            .collect()
    }

    fn jump_dirs(&self, run: &Run) -> &[Dir] {
        match run.role {
            Role::Man if run.landings.is_empty() => &self.params.man.first_jump_dirs,
            Role::Man => &self.params.man.later_jump_dirs,
            Role::King => self.params.king.as_ref().map_or(&[], |king| &king.jump_dirs),
            Role::Third => self.params.third.as_ref().map_or(&[], |third| &third.jump_dirs),
        }
    }

    fn may_turn(&self, last: Option<Dir>, dir: Dir) -> bool {
        let Some(last) = last else {
            return true;
        };
        let reversal = dir == (-last.0, -last.1);
        (self.params.reversal_allowed || !reversal) && (!self.params.straight_only || dir == last)
    }

    fn jump(&self, run: &Run, dir: Dir) -> Option<Jump> {
        let victim = self.first_piece(run, dir)?;
        let Sight::Enemy(role) = self.see(run, victim) else {
            return None;
        };
        if !self.may_take(run.role, role) {
            return None;
        }
        let mut landings = self.empty_squares(run, victim, dir);
        if self.range(run.role) == Range::Short || self.landing() == Landing::Behind {
            landings.truncate(1);
        }
        (!landings.is_empty()).then_some(Jump { dir, victim, landings })
    }

    /// The first square in a direction that is not empty, if the jumper reaches that far.
    fn first_piece(&self, run: &Run, dir: Dir) -> Option<Square> {
        let before = match self.range(run.role) {
            Range::Short => run.at,
            Range::Flying => *self.empty_squares(run, run.at, dir).last().unwrap_or(&run.at),
        };
        self.params.board.next(before, dir)
    }

    /// The empty squares from `at` on, up to the next piece or the edge.
    fn empty_squares(&self, run: &Run, at: Square, dir: Dir) -> Vec<Square> {
        let onward = |&square: &Square| self.params.board.next(square, dir);
        std::iter::successors(onward(&at), onward)
            .take_while(|&square| matches!(self.see(run, square), Sight::Empty))
            .collect()
    }

    /// What stands on a square at this point of the capture (rules.md 2.3).
    fn see(&self, run: &Run, square: Square) -> Sight {
        if square == self.from {
            return Sight::Empty; // the jumper has left it
        }
        if run.victims.contains(&square) {
            return match self.params.removal {
                Removal::AtOnce => Sight::Empty,
                Removal::AtEnd => Sight::Wall,
            };
        }
        match self.position.at(square) {
            None => Sight::Empty,
            Some(piece) if piece.color == self.piece.color => Sight::Wall,
            Some(piece) => Sight::Enemy(piece.role),
        }
    }

    fn may_take(&self, jumper: Role, victim: Role) -> bool {
        jumper != Role::Man || victim != Role::King || self.params.man.may_take_king
    }

    fn range(&self, role: Role) -> Range {
        match (&self.params.king, role) {
            (Some(king), Role::King) => king.jump_range,
            _ => Range::Short,
        }
    }

    fn landing(&self) -> Landing {
        self.params.king.as_ref().map_or(Landing::Behind, |king| king.landing)
    }

    /// The capture after one more jump.
    fn after(&self, run: &Run, jump: &Jump, landing: Square) -> Run {
        let mut next = run.clone();
        next.at = landing;
        next.last_dir = Some(jump.dir);
        next.victims.push(jump.victim);
        next.landings.push(landing);
        (next.role, next.over) = self.role_on_landing(run.role, landing);
        next
    }

    /// What the jumper is once it has landed, and whether that ends the capture.
    fn role_on_landing(&self, role: Role, landing: Square) -> (Role, bool) {
        match (role, &self.params.third) {
            // It turns at once, and like a crowned man it is done (rules.md 5, point 3b).
            (Role::Third, Some(third)) => (third.becomes, true),
            (Role::Man, _) if self.params.promotes(self.color(), landing) => {
                match self.params.promotion_in_capture {
                    PromotionInCapture::Stop => (Role::King, true),
                    PromotionInCapture::PassAsMan => (Role::Man, false),
                    PromotionInCapture::BecomeKing => (Role::King, false),
                }
            }
            _ => (role, false),
        }
    }

    fn finish(&self, run: &Run) -> Capture {
        let crowned = run.role == Role::Man && self.params.promotes(self.color(), run.at);
        let is_king = |&victim: &Square| {
            let piece = self.position.at(victim);
            piece.is_some_and(|piece| piece.role == Role::King)
        };
        Capture {
            from: self.from,
            role_before: self.piece.role,
            role_after: if crowned { Role::King } else { run.role },
            kings: run.victims.iter().map(is_king).collect(),
            victims: run.victims.clone(),
            landings: run.landings.clone(),
        }
    }

    fn color(&self) -> Color {
        self.piece.color
    }
}
