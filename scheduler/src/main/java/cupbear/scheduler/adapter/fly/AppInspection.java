// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import cupbear.fly.FlyApp;
import cupbear.fly.FlyClient;
import cupbear.fly.FlyException;
import cupbear.fly.FlyFailure;
import cupbear.fly.model.App;
import cupbear.fly.model.IpAssignment;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.TokenScope;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks at an app before a pool is run in it: whether our token is one for it, whether anybody
 * outside could reach it, and whether it lives on the network of its environment. Asks Fly four
 * questions at once and changes nothing. Any thread; keeps nothing.
 */
public final class AppInspection {
  private static final Duration WITHIN = Duration.ofSeconds(15);
  private static final String DEFAULT_NETWORK = "default";

  /** Tokens made by {@code fly tokens create} belong to nobody; a login's belong to a person. */
  private static final String NOBODY = "@tokens.fly.io";

  /**
   * What the app should be like.
   *
   * @param org its organisation
   * @param managedBy the tag's value that makes a Machine ours
   * @param network the 6PN network of this environment; empty when nobody said
   * @param strict false in a demo, where sharing a network and a token endangers nobody
   */
  public record Expected(
      String app, String org, String managedBy, String network, boolean strict) {}

  /** What follows from a finding. */
  public enum Severity {
    /** Do not run. */
    FATAL,
    /** Run, and tell somebody. */
    WARNING,
    /** Fly could not be asked: ask again before relying on it. */
    UNCHECKED
  }

  /**
   * Something that is not as it should be.
   *
   * @param next what to do about it
   */
  public record Finding(Severity severity, String what, String next) {
    @Override
    public String toString() {
      return what + "; " + next;
    }
  }

  /**
   * All that was found.
   *
   * @param networkPrefix the 6PN addresses of the app's network, as {@code fdaa:9:d844::/48}; empty
   *     when Fly did not say
   */
  public record Report(List<Finding> findings, String networkPrefix) {
    public Report {
      findings = List.copyOf(findings);
    }

    public boolean has(Severity severity) {
      return findings.stream().anyMatch(each -> each.severity() == severity);
    }
  }

  private final Expected expected;

  private AppInspection(Expected expected) {
    this.expected = expected;
  }

  /** The judging alone, for those who have the answers. */
  static AppInspection expecting(Expected expected) {
    return new AppInspection(expected);
  }

  /** Never fails: a question that Fly does not answer is a finding. */
  public static Future<Report> of(FlyClient client, Expected expected) {
    AppInspection inspection = expecting(expected);
    FlyApp app = client.app(expected.app()).within(WITHIN);
    Future<App> itself = app.get();
    List<Future<List<Finding>>> questions =
        List.of(
            judged("its token", client.within(WITHIN).currentToken(), inspection::token),
            judged("the app", itself, inspection::app),
            judged("its public addresses", app.ipAssignments(), inspection::addresses),
            judged("its Machines", app.machines(MachineFilter.ALL), inspection::machines));
    return Future.join(questions)
        .map(all -> {
          List<Finding> findings = new ArrayList<>();
          questions.forEach(each -> findings.addAll(each.result()));
          String prefix = itself.succeeded() ? itself.result().networkCidr() : "";
          return new Report(findings.stream().distinct().toList(), prefix);
        });
  }

  private static <T> Future<List<Finding>> judged(
      String what, Future<T> question, Function<T, List<Finding>> judge) {
    return question
        .map(judge)
        .recover(cause -> Future.succeededFuture(List.of(unanswered(what, cause))));
  }

  /** That Fly is down says nothing about the app; that it says no says everything. */
  private static Finding unanswered(String what, Throwable cause) {
    Optional<FlyFailure> failure =
        cause instanceof FlyException fly ? Optional.of(fly.failure()) : Optional.empty();
    boolean refused =
        failure
            .filter(each ->
                each instanceof FlyFailure.Unauthorised
                    || each instanceof FlyFailure.Forbidden
                    || each instanceof FlyFailure.NotFound)
            .isPresent();
    String outcome = failure.map(each -> each.outcome().label()).orElse("failed here");
    String advice = failure.map(FlyFailure::advice).orElse("report it with this line");
    return new Finding(
        refused ? Severity.FATAL : Severity.UNCHECKED,
        "Fly did not say how %s is (%s)".formatted(what, outcome),
        advice);
  }

  // ---- the token

  List<Finding> token(TokenScope scope) {
    List<TokenScope.Grant> fitting = scope.tokens().stream().filter(this::opens).toList();
    if (fitting.isEmpty()) {
      return List.of(
          fatal(
              "the Fly token is not for app %s of organisation %s"
                  .formatted(expected.app(), expected.org()),
              newToken()));
    }
    List<Finding> findings = new ArrayList<>();
    if (fitting.stream().allMatch(grant -> !grant.restrictedToMachine().isEmpty())) {
      findings.add(fatal("the Fly token works from one Machine only", newToken()));
    }
    if (expected.strict() && fitting.stream().anyMatch(AppInspection::isSomebodys)) {
      findings.add(fatal("the Fly token is a person's login, which opens everything", newToken()));
    } else if (expected.strict() && fitting.stream().anyMatch(grant -> grant.apps().isEmpty())) {
      findings.add(warning("the Fly token opens the whole organisation", newToken()));
    }
    return findings;
  }

  private boolean opens(TokenScope.Grant grant) {
    boolean org = grant.orgSlug().isEmpty() || grant.orgSlug().equals(expected.org());
    return org && (grant.apps().isEmpty() || grant.apps().contains(expected.app()));
  }

  private static boolean isSomebodys(TokenScope.Grant grant) {
    return !grant.user().isEmpty() && !grant.user().endsWith(NOBODY);
  }

  private String newToken() {
    return "make one with `fly tokens create deploy -a %s` and give it as CUPBEAR_FLY_TOKEN"
        .formatted(expected.app());
  }

  // ---- the app and its network

  List<Finding> app(App app) {
    List<Finding> findings = new ArrayList<>();
    App.Organization owner = app.organization();
    if (owner != null && !owner.slug().isEmpty() && !owner.slug().equals(expected.org())) {
      findings.add(
          fatal(
              "app %s belongs to organisation %s, not to %s"
                  .formatted(expected.app(), owner.slug(), expected.org()),
              "correct fly.org or fly.app in the configuration"));
    }
    network(app.network()).ifPresent(findings::add);
    return findings;
  }

  private Optional<Finding> network(String network) {
    if (network.isEmpty()) {
      return expected.strict()
          ? Optional.of(
              warning(
                  "Fly does not say on which 6PN network app %s lives".formatted(expected.app()),
                  "see for yourself with `fly apps list -o %s -j`".formatted(expected.org())))
          : Optional.empty();
    }
    if (!expected.network().isEmpty()) {
      return network.equals(expected.network())
          ? Optional.empty()
          : Optional.of(
              fatal(
                  "app %s lives on 6PN network %s, not on %s"
                      .formatted(expected.app(), network, expected.network()),
                  anotherApp(expected.network())));
    }
    return expected.strict() && network.equals(DEFAULT_NETWORK)
        ? Optional.of(
            fatal(
                "app %s lives on the default 6PN network, where every app of the organisation can"
                        .formatted(expected.app())
                    + " reach it",
                anotherApp("NETWORK")))
        : Optional.empty();
  }

  private String anotherApp(String network) {
    return "an app keeps its network for life: make another with"
        + " `fly apps create NAME -o %s --network %s`".formatted(expected.org(), network);
  }

  // ---- who could reach it

  List<Finding> addresses(List<IpAssignment> addresses) {
    return addresses.stream().map(this::address).toList();
  }

  private Finding address(IpAssignment address) {
    String release = "`fly ips release %s -a %s`".formatted(address.ip(), expected.app());
    if (address.egress()) {
      return warning(
          "app %s has egress address %s".formatted(expected.app(), address.ip()),
          "viewers need none: " + release);
    }
    boolean inside = address.ip().startsWith("fdaa:");
    return inside
        ? warning(
            "app %s has Flycast address %s".formatted(expected.app(), address.ip()),
            "viewers are dialled directly: " + release)
        : fatal(
            "app %s has public address %s".formatted(expected.app(), address.ip()),
            "viewers must not be reachable from outside: " + release);
  }

  List<Finding> machines(List<Machine> machines) {
    Sight sight = new Sight(expected.managedBy());
    List<Finding> findings = new ArrayList<>();
    for (Machine machine : machines) {
      boolean serves = machine.config() != null && !machine.config().services().isEmpty();
      if (!serves) continue;
      boolean ours = sight.isOurs(machine);
      findings.add(
          new Finding(
              ours ? Severity.FATAL : Severity.WARNING,
              "%s Machine %s has services, which Fly Proxy offers to others"
                  .formatted(ours ? "our" : "somebody's", machine.id()),
              "destroy it with `fly machine destroy --force %s -a %s`, or move it to another app"
                  .formatted(machine.id(), expected.app())));
    }
    return findings;
  }

  private static Finding fatal(String what, String next) {
    return new Finding(Severity.FATAL, what, next);
  }

  private static Finding warning(String what, String next) {
    return new Finding(Severity.WARNING, what, next);
  }
}
