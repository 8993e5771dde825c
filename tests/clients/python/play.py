"""Plays random games of every variant, knowing nothing but what the API tells it: play.py HOST:PORT [SEED]"""

import random
import sys
from collections import Counter

import grpc
from draughts.v1 import game_pb2 as game
from draughts.v1 import rules_service_pb2 as rules
from draughts.v1 import variant_pb2 as variant
from draughts.v1.error_reason_pb2 import ErrorReason
from draughts.v1.rules_service_pb2_grpc import RulesServiceStub
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from grpc_status import rpc_status

GAMES, PLIES, REPLAYED_AT = 20, 300, 64
PARTS = [rules.MOVE_PART_NOTATION, rules.MOVE_PART_LANDINGS]
ALL_PARTS = [*PARTS, rules.MOVE_PART_POSITION_AFTER]
COMPASS = [
    ["SOUTH_WEST", "SOUTH", "SOUTH_EAST"],
    ["WEST", None, "EAST"],
    ["NORTH_WEST", "NORTH", "NORTH_EAST"],
]


def identity(move):
    """What makes two moves the same one; a removal goes to no square."""
    return move.from_square, move.HasField("to_square") and move.to_square, frozenset(move.captured)


def judgement(result):
    """A result without what it rests on: the same for both forms of a game's history."""
    copy = game.Result()
    copy.CopyFrom(result)
    copy.ClearField("history_coverage")
    return copy


class Player:
    """Plays one variant."""

    def __init__(self, stub, info, seed):
        self.stub = stub
        self.info = info
        self.chance = random.Random(seed)
        described = stub.GetVariant(rules.GetVariantRequest(variant=info.variant))
        assert described.info == info, described.info
        self.start = described.start
        self.squares = {square.number: square for square in described.board.squares}
        lines = [(line.lower, line.higher) for line in described.board.lines]
        self.lines = lines + [(higher, lower) for lower, higher in lines]
        self.roles = {role.role: role for role in info.rules.roles}
        self.trace = []
        self.counts = Counter()
        self.winners = Counter()
        self.refusals = Counter()

    def sometimes(self, share):
        return self.chance.random() < share

    def game(self, position=None, moves=(), state=None):
        return game.Game(variant=self.info.variant, position=position, moves=moves, draw_state=state)

    def list_moves(self, position, parts=(), prefix=()):
        subject = self.game(position)
        return self.stub.GenerateLegalMoves(
            rules.GenerateLegalMovesRequest(game=subject, path_prefix=prefix, parts=parts)
        )

    def result(self, subject):
        return self.stub.DetermineResult(rules.DetermineResultRequest(game=subject)).result

    def play(self):
        """Plays one game to its end, or as far as is asked for."""
        here, state, history = self.start, None, []
        self.trace = []
        listed = self.list_moves(None, ALL_PARTS).moves
        while listed and len(history) < PLIES:
            ply = len(history)
            if ply % 10 == 0:
                for move in listed:
                    self.apply(here.position, move, self.say(move))
            if ply < 2 or self.sometimes(0.05):
                self.check_refusals(here.position, listed)
            if self.sometimes(0.03):
                self.check_clicks(here.position)
            move = self.chance.choice(listed)
            history.append(self.say(move))
            self.trace.append(move.notation)
            listed, result, here, state = self.advance(here, state, move, history[-1], ply)
            if len(history) == REPLAYED_AT:
                self.check_replay(history, here, result)
        self.check_replay(history, here, result)
        self.counts["plies"] += len(history)
        self.winners[result.winner] += 1

    def say(self, move):
        """Names a move in one of the ways in which a client may."""
        squares = [move.from_square, *move.landings]
        sign = self.info.rules.capture_sign if move.kind == game.MOVE_KIND_CAPTURE else "-"
        return self.chance.choice([
            game.MoveInput(move=move),
            game.MoveInput(text=move.notation),
            game.MoveInput(text=sign.join(map(str, squares))),
            game.MoveInput(path=game.SquarePath(squares=squares)),
        ])

    def apply(self, position, move, said, state=None, **more):
        """Plays a listed move, which must be accepted and do what the list says."""
        subject = self.game(position, state=state)
        answer = self.stub.ApplyMove(rules.ApplyMoveRequest(game=subject, move=said, **more))
        assert identity(answer.move) == identity(move), (said, answer.move)
        assert answer.move.notation == move.notation, (said, answer.move)
        if move.HasField("position_after"):
            assert answer.position == move.position_after, (move, answer.position)
        self.counts["accepted"] += 1
        return answer

    def advance(self, here, state, move, said, ply):
        """Plays a move of the game; gives the next moves, the result, the position and its history."""
        thorough = ply % 10 == 9 or self.sometimes(0.05)  # ply 10 tries all moves, and needs all parts
        parts = ALL_PARTS if thorough else PARTS
        more = {"state": state, "with_next_moves": True, "next_move_parts": parts}
        answer = self.apply(here.position, move, said, **more)
        moves, result, after = answer.next_moves, answer.result, answer.position
        self.counts["drawn"] += result.status == game.RESULT_STATUS_DRAWN
        state = answer.draw_state if answer.HasField("draw_state") else None
        assert (result.status == game.RESULT_STATUS_WON) == (not moves), answer
        assert (result.winner != variant.COLOR_UNSPECIFIED) == (not moves), answer
        if thorough or not moves:
            assert self.apply(game.Position(fen=here.fen), move, said, **more) == answer, (here, said)
            assert self.list_moves(after.position, parts).moves == moves, after
            asked = self.result(self.game(after.position, state=state))
            assert judgement(asked) == judgement(result), (after, asked)
        return moves, result, after, state

    def check_replay(self, history, here, result):
        """The whole game as one question leads to the same position and result."""
        subject = self.game(moves=history)
        answer = self.stub.ValidatePosition(rules.ValidatePositionRequest(game=subject))
        assert answer.valid and answer.position == here, (answer, here)
        asked = self.result(subject)
        assert judgement(asked) == judgement(result), (asked, result)

    def check_clicks(self, position):
        """Clicks one way of a move square by square."""
        move = self.chance.choice(self.list_moves(position, [rules.MOVE_PART_PATHS]).moves)
        way = list(self.chance.choice(move.paths).squares)
        for length in range(len(way) + 1):
            answer = self.list_moves(position, prefix=way[:length])
            assert identity(move) in map(identity, answer.moves), (way[:length], answer)
            assert length == len(way) or way[length] in answer.next_squares, (way[:length], answer)
        assert answer.prefix_completes, (way, answer)

    def check_refusals(self, position, listed):
        """Moves against the rules are refused, and the answer explains them."""
        legal = set(map(identity, listed))
        for start, end, expected in self.illegal_moves(position.placement, listed):
            move = game.MoveInput(move=game.Move(from_square=start, to_square=end))
            request = rules.ApplyMoveRequest(game=self.game(position), move=move)
            info, details = refusal(self.stub.ApplyMove, request)
            illegal = unpack(details, game.IllegalMove)
            reason = game.IllegalMoveReason.Name(illegal.reason).removeprefix("ILLEGAL_MOVE_REASON_")
            assert info.reason == "ILLEGAL_MOVE", (request, info)
            assert info.metadata["illegal_move_reason"] == reason, (request, info)
            assert reason == (expected or reason) != "UNSPECIFIED", (request, expected, illegal)
            assert " " in illegal.explanation, illegal
            assert legal.issuperset(map(identity, illegal.candidates)), (request, illegal)
            assert illegal.legal_move_count == len(listed), (request, illegal)
            self.refusals[reason] += 1

    def illegal_moves(self, placement, listed):
        """Gives moves against the rules as start, end and reason; no reason: any."""
        pieces = {square: group for group in placement.pieces for square in group.squares}
        own = [square for square, group in pieces.items() if group.color == placement.turn]
        enemies = [square for square in pieces if square not in own]
        empty = [square for square in self.squares if square not in pieces]
        kinds = {move.kind for move in listed}
        removing = game.MOVE_KIND_REMOVAL in kinds
        for starts, reason in [(empty, "EMPTY_SQUARE"), (enemies, "NOT_YOUR_PIECE")]:
            if starts:
                start = self.chance.choice(starts)
                yield start, None if removing else self.chance.choice([*self.squares.keys() - {start}]), reason
        if removing:
            yield self.chance.choice([*set(own) - {move.from_square for move in listed}]), None, "NOT_REMOVABLE"
        elif kinds == {game.MOVE_KIND_CAPTURE}:
            taken = {(move.from_square, move.to_square) for move in listed}
            steps = [(start, end) for start, end in self.lines if start in own and end not in pieces]
            if steps := [step for step in steps if step not in taken]:
                start, end = self.chance.choice(steps)
                yield start, end, "MUST_CAPTURE" if self.may_step(pieces[start], start, end) else None
        elif game.MOVE_KIND_CAPTURE not in kinds and len(own) > 1:
            yield *self.chance.sample(own, 2), "OCCUPIED"

    def may_step(self, piece, start, end):
        """Whether a piece could step to an adjacent empty square, were no capture possible."""
        start, end, role = self.squares[start], self.squares[end], self.roles[piece.role]
        mobility = role.white if piece.color == variant.COLOR_WHITE else role.black
        direction = COMPASS[end.row - start.row + 1][end.column - start.column + 1]
        barred = piece.role == variant.ROLE_MAN and piece.color in start.no_step_for
        return not barred and variant.Direction.Value(f"DIRECTION_{direction}") in mobility.steps

    def summary(self):
        white, black = self.winners[variant.COLOR_WHITE], self.winners[variant.COLOR_BLACK]
        refused = ", ".join(f"{reason} {count}" for reason, count in self.refusals.most_common())
        played = f"{GAMES} games, {self.counts['plies']} plies ({self.counts['drawn']} drawn), White won {white}, Black {black}"
        return f"{self.info.name}: {played}; refused: {refused}"


def unpack(details, kind):
    """Takes the one detail of a kind."""
    [found] = [detail for detail in details if detail.Is(kind.DESCRIPTOR)]
    message = kind()
    found.Unpack(message)
    return message


def refusal(method, request):
    """Makes a call that must be refused; gives the ErrorInfo and all details."""
    try:
        answer = method(request)
    except grpc.RpcError as error:
        status = rpc_status.from_call(error)
        assert status and error.code() == grpc.StatusCode.INVALID_ARGUMENT, (request, error)
        info = unpack(status.details, ErrorInfo)
        assert info.domain == "draughts-rules" and " " in status.message, status
        assert f"ERROR_REASON_{info.reason}" in ErrorReason.keys(), info
        return info, status.details
    raise AssertionError(f"accepted: {request} with {answer}")


def check_bad_requests(stub, known):
    """Each is refused with its reason and the path of the field."""
    white = variant.COLOR_WHITE
    twice = game.Pieces(color=white, role=variant.ROLE_MAN, squares=[20, 20])

    def placed(**placement):
        return game.Game(variant=known, position=game.Position(placement=game.Placement(**placement)))

    def fen(text):
        return game.Game(variant=known, position=game.Position(fen=text))

    for subject, text, reason, field in [
        (game.Game(variant=99), "1-2", "INVALID_FIELD", "game.variant"),
        (game.Game(position=game.Position(fen="W:W1:B")), "1-2", "INVALID_FIELD", "game.variant"),
        (game.Game(), "1-2", "INVALID_FIELD", "game.variant"),
        (placed(pieces=[twice]), "1-2", "INVALID_FIELD", "game.position.placement.turn"),
        (fen(""), "1-2", "MALFORMED_FEN", "game.position.fen"),
        (fen("W:Wz99:B"), "1-2", "INVALID_POSITION", "game.position.fen"),
        (placed(turn=white, pieces=[twice]), "1-2", "INVALID_POSITION",
         "game.position.placement.pieces[0].squares[1]"),
        (placed(turn=white), "1-2", "INVALID_POSITION", "game.position.placement"),
        (game.Game(variant=known), "to the left", "MALFORMED_MOVE", "move.text"),
    ]:
        request = rules.ApplyMoveRequest(game=subject, move=game.MoveInput(text=text))
        info, details = refusal(stub.ApplyMove, request)
        assert info.reason == reason, (request, info)
        fields = [violation.field for violation in unpack(details, BadRequest).field_violations]
        assert field in fields, (request, fields)


def main():
    address, seed = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1"
    with grpc.insecure_channel(address) as channel:
        stub = RulesServiceStub(channel)
        infos = stub.ListVariants(rules.ListVariantsRequest()).variants
        check_bad_requests(stub, infos[0].variant)
        players = [Player(stub, info, seed) for info in infos]
        for player in players:
            for number in range(1, GAMES + 1):
                try:
                    player.play()
                except Exception as error:
                    error.add_note(f"{player.info.name}, seed {seed}, game {number}: {' '.join(player.trace)}")
                    raise
            print(player.summary())
            assert player.refusals["NOT_YOUR_PIECE"] >= 10, player.refusals
    accepted = sum(player.counts["accepted"] for player in players)
    refused = sum(player.refusals.total() for player in players)
    played = f"{len(players)} variants, {GAMES * len(players)} games"
    print(f"clients python: {played}, {accepted} moves accepted, {refused} refused, 0 failed")


if __name__ == "__main__":
    main()
