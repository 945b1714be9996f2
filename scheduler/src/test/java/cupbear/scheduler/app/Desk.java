// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static cupbear.scheduler.app.House.IAD;
import static cupbear.scheduler.app.House.LHR;
import static cupbear.scheduler.app.House.POOL;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.port.Claims;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request path over the real rules of the store, and a wire that a test can cut. */
abstract class Desk {
  static final Caller GATEWAY = new Caller("gw");

  final House house = new House();
  final Wrapped wrapped = new Wrapped();
  final GrantMemory memory = new GrantMemory(house.time);
  final RegionBoard board = new RegionBoard(house.time);
  final Claims claims = wrapped.claims(house.connection.claims());
  final Assignments assignments =
      new Assignments(
          new Pools(List.of(house.pool(IAD, LHR))),
          house.ports(claims, house.connection.book()),
          memory,
          board);

  /** A store that is open for business, without a Machine. */
  void open() {
    house.warmMin = 0;
    fill(0).kill();
    house.time.pass(ofSeconds(16));
    house.warmMin = 1;
  }

  Supervisor fill(int warm) {
    house.warmMin = warm;
    Supervisor supervisor = replica();
    house.time.pass(ofSeconds(20));
    assertThat(standing(Standing.WARM)).isEqualTo(warm);
    return supervisor;
  }

  void fillNow() {
    replica();
    house.time.pass(ofSeconds(40));
  }

  Supervisor replica() {
    Supervisor supervisor =
        new Supervisor(
            new ReplicaId("r" + house.time.nanos()),
            new Pools(List.of(house.pool(IAD))),
            house.ports(),
            house.threads(),
            memory,
            new RegionBoard(house.time));
    supervisor.start();
    return supervisor;
  }

  long standing(Standing standing) {
    return house.connection.book().snapshot(POOL, IAD).result().machines().stream()
        .map(Booked::state)
        .filter(state -> state.standing() == standing)
        .count();
  }

  Waiting assign(String key) {
    return assignments.assign(request(key, null, List.of(), Map.of(), "body"), GATEWAY);
  }

  static SessionRequest request(
      String key,
      @Nullable Duration patience,
      List<Region> regions,
      Map<String, String> labels,
      String body) {
    return new SessionRequest(POOL, regions, null, "acme", patience, labels, key, body);
  }

  static Answer answer(Waiting waiting) {
    assertThat(waiting.answer().isComplete()).as("answered").isTrue();
    return waiting.answer().result();
  }

  static Answer.Assigned assigned(Waiting waiting) {
    return answer(waiting) instanceof Answer.Assigned yes ? yes : fail("no: " + answer(waiting));
  }

  String bad(SessionRequest request) {
    Answer answer = answer(assignments.assign(request, GATEWAY));
    return answer instanceof Answer.BadRequest bad ? bad.field() : fail("not bad: " + answer);
  }
}
