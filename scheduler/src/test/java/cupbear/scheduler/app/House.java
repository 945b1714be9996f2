// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.adapter.memory.MemoryConnection;
import cupbear.scheduler.adapter.memory.MemoryStore;
import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Ids;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Machines.Command;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One replica in virtual time: the store in memory, a Fly of a test's making, ports to swap. */
final class House {
  static final PoolName POOL = new PoolName("viewers");
  static final Region IAD = new Region("iad");
  static final Region LHR = new Region("lhr");

  private static final AtomicInteger SESSIONS = new AtomicInteger();

  final VirtualTime time;
  final FakeFly fly;
  final MemoryStore store;
  final MemoryConnection connection;
  final List<String> probed = new ArrayList<>();
  final List<String> breaches = new ArrayList<>();
  Verdict verdict = Verdict.HEALTHY;
  boolean credentials;
  Credentials logins =
      (pool, machine, booted) -> new Credentials.Made("plain-" + machine, "sealed-" + machine);
  List<Command> playbook = List.of();
  int warmMin = 1;

  /** So many renewals of leadership get no answer. */
  int renewalsLost;

  int campaigns;

  /** So often listening to the journal breaks. */
  int deafTimes;

  House() {
    this(new VirtualTime());
  }

  private House(VirtualTime time) {
    this(time, new MemoryStore(time::storeNow), new FakeFly(time));
  }

  /** Another replica on the same store, clock and Fly. */
  House(VirtualTime time, MemoryStore store, FakeFly fly) {
    this.time = time;
    this.store = store;
    this.fly = fly;
    this.connection = store.connect();
  }

  Ports ports() {
    return ports(connection.claims(), connection.book());
  }

  Ports ports(Claims claims, Book book) {
    return new Ports(
        claims,
        book,
        leadership(),
        connection.recovery(),
        journal(),
        Map.of("viewer", fly),
        this::probe,
        logins,
        time,
        ids(),
        meters());
  }

  private Leadership leadership() {
    Leadership real = connection.leadership();
    return (Leadership)
        Proxy.newProxyInstance(
            Leadership.class.getClassLoader(),
            new Class<?>[] {Leadership.class},
            (proxy, method, args) -> {
              if (method.getName().equals("campaign")) campaigns++;
              return method.getName().equals("renew") && renewalsLost-- > 0
                  ? Wrapped.trouble(StoreTrouble.Kind.UNREACHABLE)
                  : method.invoke(real, args);
            });
  }

  private Journal journal() {
    Journal real = connection.journal();
    return new Journal() {
      @Override
      public Future<Void> append(PoolName pool, List<Entry> entries) {
        return real.append(pool, entries);
      }

      @Override
      public Future<List<Entry>> after(PoolName pool, String after, int most) {
        return real.after(pool, after, most);
      }

      @Override
      public void onEntry(PoolName pool, Consumer<Entry> listener) {
        if (deafTimes-- > 0) throw new IllegalStateException("as the test says");
        real.onEntry(pool, listener);
      }
    };
  }

  private Future<Probes.Answer> probe(
      PoolName pool, MachineId machine, String address, Probes.Depth depth) {
    probed.add(machine + " " + depth);
    return Future.succeededFuture(new Probes.Answer(verdict, depth, "as the test says"));
  }

  private static Ids ids() {
    return new Ids() {
      private int next;

      @Override
      public SessionId session(PoolName pool) {
        return new SessionId("ses_" + pool + "_" + SESSIONS.incrementAndGet());
      }

      @Override
      public String mark() {
        return "mark" + ++next;
      }

      @Override
      public double luck() {
        return 0.5;
      }
    };
  }

  private Meters meters() {
    return new Meters() {
      @Override
      public void breach(PoolName pool, Region region, String what) {
        breaches.add(what);
      }
    };
  }

  PoolSpec pool(Region... regions) {
    Map<Region, Desired> desired = new TreeMap<>();
    for (Region region : regions) desired.put(region, desired());
    return new PoolSpec(
        POOL,
        "viewer",
        new Placement.Rules(List.of(regions), Map.of(), null),
        desired,
        Policy.DEFAULT,
        Terms.DEFAULT,
        PoolSpec.Serving.DEFAULT,
        new PoolSpec.Handling(new Command(List.of("stage"), "", Duration.ofSeconds(5)), playbook),
        Map.of("gpu", "false"));
  }

  private Desired desired() {
    Template template =
        new Template(
            new TemplateVersion("7"),
            "registry/viewer@sha256:0",
            new Template.Guest("shared", 2, 2048),
            Map.of());
    return new Desired(
        template,
        new Desired.Bounds(warmMin, warmMin + 4, 5),
        credentials,
        !playbook.isEmpty(),
        Desired.AfterSession.RECYCLE,
        null,
        Map.of("managed_by", "cupbear/test"),
        Set.of(),
        Set.of());
  }

  /** Everything runs as an event of its own, in virtual time. */
  Supervisor.Threads threads() {
    Executor soon = work -> time.after(Duration.ZERO, work);
    return new Supervisor.Threads() {
      @Override
      public Executor home() {
        return soon;
      }

      @Override
      public Executor loop(PoolName pool, Region region) {
        return soon;
      }
    };
  }
}
