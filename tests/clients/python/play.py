"""Plays random games of every variant, knowing nothing but what the API tells it.

play.py HOST:PORT [SEED]
"""

import random
import sys
from collections import Counter

import grpc
from draughts.v1 import game_pb2 as game
from draughts.v1 import rules_service_pb2 as rules
from draughts.v1 import variant_pb2 as variant
from draughts.v1.rules_service_pb2_grpc import RulesServiceStub
from google.rpc import error_details_pb2
from grpc_status import rpc_status

GAMES = 20
PLIES = 300
ALL_PARTS = [
    rules.MOVE_PART_NOTATION,
    rules.MOVE_PART_LANDINGS,
    rules.MOVE_PART_PATHS,
    rules.MOVE_PART_POSITION_AFTER,
]
STEPS = {
    variant.DIRECTION_NORTH: (0, 1),
    variant.DIRECTION_NORTH_EAST: (1, 1),
    variant.DIRECTION_EAST: (1, 0),
    variant.DIRECTION_SOUTH_EAST: (1, -1),
    variant.DIRECTION_SOUTH: (0, -1),
    variant.DIRECTION_SOUTH_WEST: (-1, -1),
    variant.DIRECTION_WEST: (-1, 0),
    variant.DIRECTION_NORTH_WEST: (-1, 1),
}


class Player:
    """Plays one variant."""

    def __init__(self, stub, info, chance):
        self.stub = stub
        self.chance = chance
        self.described = stub.GetVariant(rules.GetVariantRequest(variant=info.variant))
        assert self.described.info == info, info.name
        self.variant = info.variant
        self.at = {(square.column, square.row): square.number for square in self.described.board.squares}
        self.square = {square.number: square for square in self.described.board.squares}
        lines = [(line.lower, line.higher) for line in self.described.board.lines]
        self.joined = set(lines) | {(b, a) for a, b in lines}
        self.refusals = Counter()

    def game(self, position=None, moves=()):
        return game.Game(variant=self.variant, position=position, moves=moves)

    def play(self):
        """Plays one game; gives the number of plies and the winner."""
        position = self.described.start.position
        history = []
        for ply in range(PLIES):
            request = rules.GenerateLegalMovesRequest(game=self.game(position), parts=ALL_PARTS)
            listed = list(self.stub.GenerateLegalMoves(request).moves)
            result = self.result(self.game(position))
            assert (result.status == game.RESULT_STATUS_WON) == (not listed), result
            if not listed:
                return ply, result.winner
            if ply % 30 == 0:
                self.check_refusals(position, listed)
                self.check_path(position, self.chance.choice(listed))
                for move in listed:
                    self.check_accepted(position, move)
            chosen = self.chance.choice(listed)
            history.append(game.MoveInput(text=chosen.notation))
            position = self.check_accepted(position, chosen)
            if len(history) == 64:
                self.check_history(history, position)
        return PLIES, variant.COLOR_UNSPECIFIED

    def result(self, subject):
        return self.stub.DetermineResult(rules.DetermineResultRequest(game=subject)).result

    def check_accepted(self, position, move):
        """Plays a listed move in one of its forms, and gives the position after it."""
        path = game.SquarePath(squares=[move.from_square, *move.landings])
        form = self.chance.choice(
            [game.MoveInput(move=move), game.MoveInput(text=move.notation), game.MoveInput(path=path)]
        )
        answer = self.stub.ApplyMove(rules.ApplyMoveRequest(game=self.game(position), move=form))
        assert answer.position == move.position_after, move
        assert sorted(answer.move.captured) == sorted(move.captured), move
        by_fen = game.Position(fen=answer.position.fen)
        assert self.result(self.game(by_fen)) == answer.result, answer
        return answer.position.position

    def check_history(self, history, position):
        request = rules.ValidatePositionRequest(game=self.game(moves=history))
        assert self.stub.ValidatePosition(request).position.position == position

    def check_path(self, position, move):
        """Clicks one way of a move square by square."""
        way = list(self.chance.choice(move.paths).squares) if move.paths else [move.from_square]
        for length in range(len(way) + 1):
            request = rules.GenerateLegalMovesRequest(game=self.game(position), path_prefix=way[:length])
            answer = self.stub.GenerateLegalMoves(request)
            assert length == len(way) or way[length] in answer.next_squares, (move, answer)
        assert answer.prefix_completes, (move, answer)

    def check_refusals(self, position, listed):
        pieces = {
            square: (group.color, group.role) for group in position.placement.pieces for square in group.squares
        }
        turn = position.placement.turn
        own = [square for square, (color, _) in pieces.items() if color == turn]
        enemies = [square for square in pieces if square not in own]
        empty = [square for square in self.square if square not in pieces]
        removing = listed[0].kind == game.MOVE_KIND_REMOVAL
        if empty:
            self.refused(position, listed, self.chance.choice(empty), own[0], "EMPTY_SQUARE")
        if enemies:
            self.refused(position, listed, self.chance.choice(enemies), own[0], "NOT_YOUR_PIECE")
        if removing:
            kept = [square for square in own if square not in [move.from_square for move in listed]]
            self.refused(position, listed, self.chance.choice(kept), None, "NOT_REMOVABLE")
        elif listed[0].kind == game.MOVE_KIND_CAPTURE:
            for start, end in self.steps(pieces, turn, own):
                self.refused(position, listed, start, end, "MUST_CAPTURE")
                break
        elif len(own) > 1:
            start, end = self.chance.sample(own, 2)
            self.refused(position, listed, start, end, "OCCUPIED")

    def steps(self, pieces, turn, own):
        """Steps that would be legal if no capture were possible."""
        roles = {role.role: role for role in self.described.info.rules.roles}
        for start in own:
            role = roles[pieces[start][1]]
            white = turn == variant.COLOR_WHITE
            square = self.square[start]
            if role.role == variant.ROLE_MAN and turn in square.no_step_for:
                continue
            for direction in (role.white if white else role.black).steps:
                across, up = STEPS[direction]
                end = self.at.get((square.column + across, square.row + up))
                if end is not None and end not in pieces and (start, end) in self.joined:
                    yield start, end

    def refused(self, position, listed, start, end, reason):
        move = game.Move(from_square=start, to_square=end)
        request = rules.ApplyMoveRequest(game=self.game(position), move=game.MoveInput(move=move))
        _, info, details = error_of(self.stub.ApplyMove, request)
        illegal = game.IllegalMove()
        assert any(detail.Unpack(illegal) for detail in details), details
        assert info.reason == "ILLEGAL_MOVE", info
        assert info.metadata["illegal_move_reason"] == reason, (reason, illegal, position)
        assert illegal.legal_move_count == len(listed) and illegal.explanation, illegal
        self.refusals[reason] += 1


def error_of(method, request):
    """Calls a method that must fail; gives the code, the ErrorInfo and all details."""
    try:
        answer = method(request)
    except grpc.RpcError as error:
        details = rpc_status.from_call(error).details
        info = error_details_pb2.ErrorInfo()
        assert any(detail.Unpack(info) for detail in details), error
        assert info.domain == "draughts-rules" and error.details(), info
        return error.code(), info, details
    raise AssertionError(f"accepted: {request} with {answer}")


def check_bad_requests(stub, known):
    """Each is refused with its reason and the path of the field."""
    men = game.Pieces(color=variant.COLOR_WHITE, role=variant.ROLE_MAN, squares=[20, 20])
    placed = game.Placement(turn=variant.COLOR_WHITE, pieces=[men])
    turnless = game.Placement(pieces=[men])
    any_move = game.MoveInput(text="1-2")
    for subject, move, reason, field in [
        (game.Game(variant=99), any_move, "INVALID_FIELD", "game.variant"),
        (game.Game(), any_move, "INVALID_FIELD", "game.variant"),
        (game.Game(variant=known), None, "INVALID_FIELD", "move"),
        (game.Game(variant=known, position=game.Position(placement=turnless)), any_move, "INVALID_FIELD",
         "game.position.placement.turn"),
        (game.Game(variant=known, position=game.Position(fen="")), any_move, "MALFORMED_FEN", "game.position.fen"),
        (game.Game(variant=known, position=game.Position(fen="W:Wz99:B")), any_move, "INVALID_POSITION",
         "game.position.fen"),
        (game.Game(variant=known, position=game.Position(placement=placed)), any_move, "INVALID_POSITION",
         "game.position.placement.pieces[0].squares[1]"),
        (game.Game(variant=known, position=game.Position(fen="W:W:B")), any_move, "INVALID_POSITION",
         "game.position.fen"),
        (game.Game(variant=known), game.MoveInput(text="to the left"), "MALFORMED_MOVE", "move.text"),
    ]:
        code, info, details = error_of(stub.ApplyMove, rules.ApplyMoveRequest(game=subject, move=move))
        assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason), (subject, info)
        bad = error_details_pb2.BadRequest()
        assert any(detail.Unpack(bad) for detail in details), subject
        assert field in [violation.field for violation in bad.field_violations], (subject, bad)


def main():
    address, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with grpc.insecure_channel(address) as channel:
        stub = RulesServiceStub(channel)
        infos = stub.ListVariants(rules.ListVariantsRequest()).variants
        check_bad_requests(stub, infos[0].variant)
        for info in infos:
            player = Player(stub, info, random.Random(seed))
            games = [player.play() for _ in range(GAMES)]
            plies = sum(count for count, _ in games)
            white = sum(winner == variant.COLOR_WHITE for _, winner in games)
            black = sum(winner == variant.COLOR_BLACK for _, winner in games)
            print(f"python {info.name}: {plies} plies, White won {white}, Black {black}, refused {dict(player.refusals)}")
            assert len(player.refusals) >= 3, info.name
        print(f"python: {len(infos)} variants, {GAMES * len(infos)} games")


if __name__ == "__main__":
    main()
