// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import static cupbear.load.run.Rules.NOBODY_REFUSED;
import static cupbear.load.run.Rules.NOTHING_LEFT;
import static cupbear.load.run.Rules.ON_TIME;
import static cupbear.load.run.Rules.WHOLE_AGAIN;
import static cupbear.load.run.Rules.queue;
import static cupbear.load.run.Rules.served;

import cupbear.load.run.Scenario.Rule;
import cupbear.load.run.Scenario.Shape;
import cupbear.load.run.Scenario.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * All scenarios, in the order in which {@code --scenario all} plays them on one stack: first what a
 * good day brings, then what breaks and heals, last what takes a server away for good.
 */
final class Scenarios {
  /** The contract. */
  private static final Rule CONTRACT = queue(95, Duration.ofMillis(500));

  /** Aimed at far beyond it; on two shared cores a figure of its own, so wider than 20 ms. */
  private static final Rule TAIL = queue(99, Duration.ofSeconds(1));

  /** So few that what is warm lasts as long as nothing can be refilled. */
  private static final double FEW = 0.1;

  private static final String BIG = "big";
  private static final String SMALL = "small";
  private static final String REGION = "iad";
  private static final String[] CREATES_AND_DESTROYS = {"create", "destroy"};

  private Scenarios() {}

  static final List<Scenario> ALL =
      List.of(
          calm(
              "steady", "As many users at once as were asked for, coming and going.", 1, evenly(1)),
          calm(
              "step",
              "Nobody for a quarter of the time, then all of them within a few seconds.",
              0.6,
              (crowd, size) -> crowd.stream(size.at(0.25), size.length(), size.perSecond())),
          calm(
              "burst",
              "All users at one instant, three times.",
              0.6,
              (crowd, size) -> {
                for (double at : new double[] {0.05, 0.4, 0.75}) {
                  crowd.burst(size.at(at), size.sessions());
                }
              }),
          storm(),
          calm(
              "churn",
              "Users come 1.4 times as often as in steady and stay half as long.",
              1.5,
              Scenarios::churning),
          trouble(
              "hung-viewers",
              "A fifth of all running viewers accept connections and answer nothing any more.",
              0.6,
              List.of(served(0.99), CONTRACT),
              new Trouble(0.3, "20 % of the viewers hang", stage -> stage.hang(0.2))),
          trouble(
              "list-collapse",
              "Fly's list comes back empty for a while.",
              FEW,
              List.of(served(0.99), CONTRACT, Rules.none("create or destroy on empty lists")),
              new Trouble(
                  0.3,
                  "Fly lists no Machines",
                  stage -> {
                    stage.fault("{\"kind\":\"empty_list\"}");
                    stage.countFromHere("create or destroy on empty lists", CREATES_AND_DESTROYS);
                  }),
              new Trouble(
                  0.7,
                  "Fly lists them again",
                  stage -> {
                    stage.countedUntilHere(
                        "create or destroy on empty lists", CREATES_AND_DESTROYS);
                    stage.clearFaults();
                  })),
          trouble(
              "fly-429",
              "Fly refuses every second call for being one too many.",
              FEW,
              List.of(served(0.99), CONTRACT),
              new Trouble(
                  0.2,
                  "Fly answers 429 to every second call",
                  stage -> stage.fault("{\"kind\":\"rate_limit\",\"probability\":0.5}")),
              new Trouble(0.7, "Fly takes calls again", Stage::clearFaults)),
          trouble(
              "fly-down",
              "Fly's API answers nothing but 503.",
              FEW,
              List.of(served(0.99), CONTRACT),
              new Trouble(
                  0.2,
                  "Fly answers 503 to every call",
                  stage -> stage.fault("{\"kind\":\"server_error\",\"status\":503}")),
              new Trouble(0.6, "Fly is back", Stage::clearFaults)),
          trouble(
              "region-loss",
              "Every host of the largest region dies, and it has no capacity.",
              0.4,
              List.of(served(0.95), queue(95, Duration.ofSeconds(5))),
              new Trouble(0.25, REGION + " is lost", stage -> stage.loseRegion(REGION)),
              new Trouble(0.65, REGION + " is back", stage -> stage.findRegion(REGION))),
          trouble(
              "bad-image",
              "A new template version is released whose services never answer; then another.",
              0.2,
              List.of(),
              new Trouble(0.15, "the bad image is released", Stage::rollToBadImage),
              new Trouble(0.7, "a good one is released", Stage::rollBack)),
          trouble(
              "replica-kill",
              "One scheduler after the other is killed with SIGKILL and started again.",
              1,
              List.of(served(0.999), queue(95, Duration.ofSeconds(2))),
              new Trouble(0.2, "a scheduler is killed", Stage::killReplica),
              new Trouble(0.35, "it is started again", Stage::restartReplica),
              new Trouble(0.6, "the other one is killed", Stage::killReplica),
              new Trouble(0.75, "it is started again", Stage::restartReplica)),
          trouble(
              "redis-wipe",
              "Redis loses everything, twice.",
              0.6,
              List.of(served(0.99), queue(95, Duration.ofSeconds(5))),
              new Trouble(0.3, "FLUSHALL", Stage::wipeRedis),
              new Trouble(0.6, "FLUSHALL", Stage::wipeRedis)),
          trouble(
              "redis-failover",
              "Redis' primary is killed; Sentinel makes a replica the primary.",
              0.6,
              List.of(served(0.99), queue(95, Duration.ofSeconds(10))),
              new Trouble(0.3, "the primary is killed", Stage::killPrimary)),
          new Scenario(
              "soak",
              "Churn for longer, on what all the others left behind.",
              5.5,
              Scenarios::churning,
              List.of(),
              List.of(ON_TIME, NOBODY_REFUSED, CONTRACT, TAIL, WHOLE_AGAIN, NOTHING_LEFT)));

  /** The scenario of that name. */
  static Optional<Scenario> named(String name) {
    return ALL.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private static Scenario calm(String name, String what, double length, Shape shape) {
    return new Scenario(
        name,
        what,
        length,
        shape,
        List.of(),
        List.of(ON_TIME, NOBODY_REFUSED, CONTRACT, TAIL, WHOLE_AGAIN));
  }

  /** A stream of users meets trouble. */
  private static Scenario trouble(
      String name, String what, double crowd, List<Rule> rules, Trouble... troubles) {
    List<Rule> all = new ArrayList<>(List.of(ON_TIME, WHOLE_AGAIN));
    all.addAll(1, rules);
    return new Scenario(name, what, 0.6, evenly(crowd), List.of(troubles), all);
  }

  private static Scenario storm() {
    Shape shape =
        (crowd, size) -> {
          int few = size.sessions() / 5;
          crowd.burst(size.at(0.1), 4 * size.sessions() - 4 * few, BIG);
          for (int i = 0; i < 4; i++) crowd.burst(size.at(0.1), few, SMALL);
        };
    return new Scenario(
        "storm",
        "Four times as many users as usual at one instant, most of one tenant: they queue.",
        0.6,
        shape,
        List.of(),
        List.of(
            ON_TIME,
            NOBODY_REFUSED,
            Rules.fair(BIG, SMALL),
            queue(100, Duration.ofSeconds(30)),
            WHOLE_AGAIN));
  }

  private static void churning(Crowd crowd, Scenario.Size size) {
    crowd.staying(0.5).stream(Duration.ZERO, size.length(), 1.4 * size.perSecond());
  }

  private static Shape evenly(double factor) {
    return (crowd, size) -> crowd.stream(Duration.ZERO, size.length(), factor * size.perSecond());
  }

  /** For messages. */
  static List<String> names() {
    return Collections.unmodifiableList(ALL.stream().map(Scenario::name).toList());
  }
}
