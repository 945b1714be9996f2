// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.model.App;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Created;
import cupbear.fly.model.IpAssignment;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.Volume;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One app at Fly. A light view; make and drop it freely. */
public final class FlyApp {

  private static final Duration LIST = Duration.ofSeconds(20);
  private static final Duration LIST_CALL = Duration.ofSeconds(45);
  private static final Duration CREATE = Duration.ofSeconds(30);
  private static final Duration CREATE_CALL = Duration.ofSeconds(90);
  private static final int REGION_CODE = 3;

  /** As long as a region's code, and none. */
  private static final Set<String> ALIASES = Set.of("any", "usa");

  private final Engine engine;
  private final Terms terms;
  private final String name;

  FlyApp(Engine engine, Terms terms, String name) {
    this.engine = engine;
    this.terms = terms;
    this.name = name;
  }

  public String name() {
    return name;
  }

  public FlyApp within(Duration time) {
    return new FlyApp(engine, terms.within(time), name);
  }

  public FlyApp urgent() {
    return new FlyApp(engine, terms.urgency(Urgency.URGENT), name);
  }

  public FlyMachine machine(String id) {
    return new FlyMachine(engine, terms, name, id);
  }

  public Future<App> get() {
    return engine.run(
        new Call<>(Action.GET_APP, name, "", Read.as(App.class))
            .get(Uri.of("apps", name))
            .on(terms));
  }

  Future<Call.Found<App>> lookUp() {
    return get()
        .<Call.Found<App>>map(Call.Done::new)
        .recover(
            cause -> isNotFound(cause) ? done(new Call.NotDone<>()) : Future.failedFuture(cause));
  }

  /** Must be empty for an app that nobody outside may reach. */
  public Future<List<IpAssignment>> ipAssignments() {
    return engine.run(
        new Call<>(Action.LIST_IPS, name, "", Read.listIn("ips", IpAssignment.class))
            .get(Uri.of("apps", name, "ip_assignments"))
            .on(terms));
  }

  public Future<List<Volume>> volumes() {
    return engine.run(
        new Call<>(Action.LIST_VOLUMES, name, "", Read.listIn("volumes", Volume.class))
            .get(Uri.of("apps", name, "volumes"))
            .taking(LIST, LIST_CALL)
            .on(terms));
  }

  /**
   * The Machines of the app, in no order. The list lags behind creates and destroys by seconds, and
   * has been seen empty for a populated app: absence alone proves nothing.
   */
  public Future<List<Machine>> machines(MachineFilter filter) {
    String states = filter.states().stream().map(Kind::word).collect(Collectors.joining(","));
    Uri where =
        Uri.of("apps", name, "machines")
            .with("region", filter.region())
            .with("state", states)
            .with("include_deleted", filter.includeDeleted())
            .with("include_leases", filter.includeLeases())
            .with("summary", filter.summary());
    filter.metadata().forEach((key, value) -> where.exactly("metadata." + key, value));
    return engine.run(
        new Call<>(Action.LIST_MACHINES, name, "", MachineList::read)
            .get(where)
            .taking(LIST, LIST_CALL)
            .on(terms));
  }

  private record CreateBody(
      String name, String region, MachineConfig config, boolean skipLaunch, long leaseTtl) {}

  /**
   * Makes a Machine, once: when the answer is lost it is looked for by its name and adopted. A name
   * that was taken from the start fails with {@link NameTaken}.
   */
  public Future<Created> create(CreateMachine order) {
    Call.Reader<Created> reader = body -> new Created(FlyJson.read(body, Machine.class), false);
    return engine.run(
        new Call<>(Action.CREATE_MACHINE, name, "", reader)
            .request("POST", Uri.of("apps", name, "machines"))
            .sending(
                new CreateBody(
                    order.name(),
                    order.region(),
                    order.config(),
                    order.skipLaunch(),
                    order.leaseTtl().toSeconds()))
            .taking(CREATE, CREATE_CALL)
            .orLook((left, failure) -> find(order, left, failure))
            .on(terms));
  }

  /** By the id that a refusal names, else in the list. */
  private Future<Call.Found<Created>> find(CreateMachine order, Terms left, FlyFailure after) {
    if (after instanceof NameTaken taken && !taken.holder().isEmpty()) {
      return new FlyMachine(engine, left, name, taken.holder())
          .get()
          .map(machine -> adopt(order, List.of(machine)));
    }
    String region = order.region();
    boolean plain = region.length() == REGION_CODE && !ALIASES.contains(region);
    MachineFilter where = plain ? MachineFilter.ALL.inRegion(region) : MachineFilter.ALL;
    return new FlyApp(engine, left, name).machines(where).map(machines -> adopt(order, machines));
  }

  private static Call.Found<Created> adopt(CreateMachine order, List<Machine> machines) {
    Optional<Machine> found =
        machines.stream()
            .filter(machine -> machine.name().equals(order.name()))
            .filter(machine -> !machine.state().is(Kind.DESTROYING, Kind.DESTROYED))
            .findFirst();
    return found.isPresent()
        ? new Call.Done<>(new Created(found.get(), true))
        : new Call.NotDone<>();
  }

  static boolean isNotFound(Throwable cause) {
    return cause instanceof FlyException fly && fly.failure() instanceof NotFound;
  }

  static <T> Future<Call.Found<T>> done(Call.Found<T> found) {
    return Future.succeededFuture(found);
  }
}
