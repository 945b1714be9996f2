// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.gateway.Cupbear;
import cupbear.gateway.Refusal;
import cupbear.gateway.RefusedException;
import cupbear.gateway.Session;
import cupbear.gateway.SessionRequest;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Role;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Our own client library against our own server: the whole life of sessions, on any store. */
@Timeout(60)
abstract class GatewayWalk {
  /** Short enough for a renewal to be due while a test runs. */
  private static final Terms TERMS =
      new Terms(
          Duration.ofSeconds(30),
          Duration.ofSeconds(6),
          Duration.ofHours(8),
          Duration.ofHours(24),
          200,
          Terms.Failover.NOTIFY);

  @TempDir Path folder;
  private House house;
  private Cupbear cupbear;

  abstract Store store();

  @BeforeEach
  void open() {
    house = new House(folder, store(), TERMS, config -> config);
    cupbear =
        Cupbear.builder()
            .url("http://127.0.0.1:" + house.server.port())
            .token(house.token(Role.GATEWAY))
            .deadline(Duration.ofSeconds(20))
            .build();
  }

  @AfterEach
  void close() {
    House.get(cupbear.shutdown());
    house.close();
  }

  private static SessionRequest request() {
    return SessionRequest.of("viewers").in("iad").tenant("acme").waiting(Duration.ofSeconds(10));
  }

  private Client operator() {
    return new Client(house.server.port(), house.token(Role.OPERATOR));
  }

  private String state(Session session) {
    return operator().get("/v1/sessions/" + session.id()).json().getString("state");
  }

  @Test
  void aSessionIsTakenConfirmedRenewedAndGivenBack() {
    house.warm("m1");
    Session session = House.get(cupbear.acquire(request()));
    assertThat(session.grant().machine().id()).isEqualTo("m1");
    assertThat(session.grant().credentials().orElseThrow().password()).isEqualTo(House.PASSWORD);
    House.get(session.connected());
    assertThat(state(session)).isEqualTo("connected");
    var first = session.grant().lease().expiresAt();
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> !session.grant().lease().expiresAt().equals(first));
    House.get(session.release());
    assertThat(state(session)).isEqualTo("ended");
  }

  @Test
  void aQueuedUserGetsTheNextMachineAndOneWhoLeftDoesNot() {
    Promise<Void> left = Promise.promise();
    Future<Session> gone = cupbear.acquire(request(), left.future());
    await().until(() -> house.assignments.waiting() == 1);
    Future<Session> stays = cupbear.acquire(request());
    await().until(() -> house.assignments.waiting() == 2);
    left.complete();
    await().until(() -> house.assignments.waiting() == 1);
    house.warm("m1");
    assertThat(House.get(stays).grant().machine().id()).isEqualTo("m1");
    await().until(gone::failed);
  }

  @Test
  void aMachineThatDoesNotWorkIsReplacedAndTheSessionGoesOnWithTheOther() {
    house.warm("m1", "m2");
    Session session = House.get(cupbear.acquire(request()));
    String before = session.id();
    Optional<cupbear.gateway.Grant> other = House.get(session.fail("black screen", true));
    assertThat(other.orElseThrow().epoch()).isPositive();
    assertThat(session.id()).isNotEqualTo(before);
    House.get(session.connected());
    assertThat(state(session)).isEqualTo("connected");
    House.get(session.release());
    assertThat(state(session)).isEqualTo("ended");
  }

  @Test
  void aSessionThatAnOperatorEndsIsLostToItsGateway() {
    house.warm("m1");
    Session session = House.get(cupbear.acquire(request()));
    House.get(session.connected());
    Promise<Refusal> lost = Promise.promise();
    session.onLost(lost::tryComplete);
    operator().send("DELETE", "/v1/sessions/" + session.id(), null);
    assertThat(House.get(lost.future())).isInstanceOf(Refusal.LeaseLost.class);
  }

  @Test
  void aWrongRequestIsToldWhatIsWrong() {
    Future<Session> refused = cupbear.acquire(SessionRequest.of("viewers").label("gpu", "true"));
    await().until(refused::failed);
    assertThat(((RefusedException) refused.cause()).refusal())
        .isInstanceOfSatisfying(
            Refusal.Invalid.class,
            invalid -> assertThat(invalid.errors().getFirst().field()).isEqualTo("labels.gpu"));
  }
}
