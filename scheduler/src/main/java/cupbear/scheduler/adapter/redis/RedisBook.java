// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.list;
import static cupbear.scheduler.adapter.redis.Fields.millis;
import static cupbear.scheduler.adapter.redis.Fields.text;
import static cupbear.scheduler.adapter.redis.Fields.texts;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Book;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The book as scripts: {@code move prove vouch lose expire mark snapshot}. Any thread. */
final class RedisBook implements Book {
  private static final Script MOVE = Script.named("move");
  private static final Script PROVE = Script.named("prove");
  private static final Script VOUCH = Script.named("vouch");
  private static final Script LOSE = Script.named("lose");
  private static final Script EXPIRE = Script.named("expire");
  private static final Script MARK = Script.named("mark");
  private static final Script SNAPSHOT = Script.named("snapshot");

  /** Machines per call: a script must stay short, since everybody waits for it. */
  private static final int PAGE = 200;

  private static final Pattern DIGITS = Pattern.compile("\\d+");

  private final RedisStore store;

  RedisBook(RedisStore store) {
    this.store = store;
  }

  @Override
  public Future<Snapshot> snapshot(PoolName pool, Region region) {
    return page(pool, region, "", new ArrayList<>());
  }

  private Future<Snapshot> page(PoolName pool, Region region, String after, List<Booked> all) {
    return store
        .call(pool, SNAPSHOT, List.of(region.code(), after, Integer.toString(PAGE)))
        .compose(reply -> {
          List<?> parts = list(reply);
          List<?> machines = list(parts.get(5));
          for (Object machine : machines) {
            Fields fields = Fields.of(list(machine).get(1));
            MachineId id = new MachineId(text(list(machine).getFirst()));
            if (!fields.isEmpty()) all.add(Records.machine(id, fields));
          }
          if (machines.size() < PAGE) return Future.succeededFuture(snapshot(parts, all));
          return page(pool, region, text(list(machines.getLast()).getFirst()), all);
        });
  }

  private static Snapshot snapshot(List<?> parts, List<Booked> machines) {
    List<String> marks = texts(parts.get(4));
    return new Snapshot(
        Fields.instant(text(parts.get(0))),
        machines,
        Long.parseLong(text(parts.get(1))),
        Integer.parseInt(text(parts.get(2))),
        texts(parts.get(3)).stream().map(RedisBook::waited).toList(),
        new Marks(
            marked(marks, "drain:"),
            marked(marks, "cordon:"),
            marks.contains("cordon"),
            marks.contains("drain"),
            marks.contains("pause")));
  }

  private static Set<MachineId> marked(List<String> marks, String how) {
    return marks.stream()
        .filter(mark -> mark.startsWith(how))
        .map(mark -> new MachineId(mark.substring(how.length())))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Snapshot.Waited waited(String line) {
    int space = line.indexOf(' ');
    Instant at = Fields.instant(line.substring(0, space));
    return new Snapshot.Waited(at, Duration.ofMillis(Long.parseLong(line.substring(space + 1))));
  }

  @Override
  public Future<Moved> move(Mandate mandate, Move move) {
    List<String> args = new ArrayList<>();
    args.add(move.machine().value());
    args.add(move.from().stream().map(Standing::word).collect(Collectors.joining(",")));
    args.add(move instanceof Move.Forget ? "gone" : move.to().word());
    args.add(move instanceof Move.Stage stage ? millis(stage.bootedAt()) : "");
    args.add(word(move));
    args.add(why(move));
    args.addAll(changes(move));
    return store.call(mandate.pool(), MOVE, under(mandate, args)).map(RedisBook::moved);
  }

  /** The journal's word for it. */
  private static String word(Move move) {
    EntryKind kind =
        switch (move) {
          case Move.Enrol any -> EntryKind.MACHINE_ENROLLED;
          case Move.Adopt any -> EntryKind.MACHINE_ADOPTED;
          case Move.Restart any -> EntryKind.MACHINE_RESTARTED;
          case Move.Boot any -> EntryKind.MACHINE_BOOTED;
          case Move.Stage any -> EntryKind.MACHINE_STAGED;
          case Move.Doubt any -> EntryKind.MACHINE_DOUBTED;
          case Move.Retire any -> EntryKind.MACHINE_RETIRED;
          case Move.Condemn any -> EntryKind.MACHINE_CONDEMNED;
          case Move.Clean any -> EntryKind.MACHINE_CLEANED;
          case Move.Park any -> EntryKind.MACHINE_PARKED;
          case Move.Forget any -> EntryKind.MACHINE_FORGOTTEN;
        };
    return kind.word().substring("machine.".length());
  }

  private static String why(Move move) {
    if (move instanceof Move.Enrol) return "Fly accepted its creation";
    return move instanceof Move.Adopt ? "ours by its tag, in no book" : "its leader says so";
  }

  private static List<String> changes(Move move) {
    return switch (move) {
      case Move.Enrol enrol -> fields(enrol.booked(), "staged", "0");
      case Move.Adopt adopt -> fields(adopt.booked(), "cleaning", left(adopt.booked()));
      // A new boot: nothing that was said about the one before holds.
      case Move.Restart restart ->
          List.of(
              "keep",
              restart.keep().word(),
              "booted",
              millis(restart.bootedAt()),
              "address",
              "",
              "guacd",
              "",
              "rdp",
              "",
              "sealed",
              "",
              "staged",
              "0");
      case Move.Boot boot -> List.of("address", boot.address(), "staged", "0");
      case Move.Stage stage -> List.of("staged", "1", "sealed", stage.sealed());
      case Move.Clean clean -> List.of("cleaning", clean.succeeded() ? "done" : "failed");
      case Move.Retire any -> List.of("cleaning", "nothing", "sealed", "");
      case Move.Condemn any -> List.of("lost", "0", "sealed", "");
      // What was staged stays staged: "staged" is only ever unset by a new boot.
      case Move.Doubt any -> List.of();
      case Move.Park any -> List.of();
      case Move.Forget any -> List.of();
    };
  }

  private static String left(Booked stray) {
    return stray.state() instanceof MachineState.Draining draining
        ? draining.cleaning().name().toLowerCase(Locale.ROOT)
        : "nothing";
  }

  /** What never depends on where it stands. The first four are read by recover.lua as such. */
  private static List<String> fields(Booked booked, String... more) {
    List<String> fields = new ArrayList<>();
    fields.addAll(List.of("name", booked.name(), "template", booked.template().value()));
    fields.addAll(List.of("sort", sortable(booked.template()), "keep", booked.keep().word()));
    fields.addAll(List.of("booted", millis(booked.bootedAt())));
    if (booked.address() != null) fields.addAll(List.of("address", booked.address()));
    fields.addAll(List.of(more));
    return fields;
  }

  /** All that a leader remembers of a Machine; its credentials are gone and must be staged anew. */
  static List<String> remembered(Booked booked) {
    List<String> fields = new ArrayList<>(fields(booked, "staged", "0"));
    Proof proof = booked.proof();
    if (proof != null) {
      fields.addAll(List.of("guacd", millis(proof.guacdAt()), "rdp", millis(proof.rdpAt())));
    }
    switch (booked.state()) {
      case MachineState.Draining any -> fields.addAll(List.of("cleaning", left(booked)));
      case MachineState.Condemned gone -> fields.addAll(List.of("lost", gone.lost() ? "1" : "0"));
      case MachineState.Assigned any -> {}
      case MachineState.Provisioning any -> {}
      case MachineState.Proving any -> {}
      case MachineState.Warm any -> {}
      case MachineState.Parked any -> {}
      case MachineState.Unknown any -> {}
    }
    return fields;
  }

  /** Text that sorts as versions do, with the version behind it: 10 comes after 9. */
  static String sortable(TemplateVersion version) {
    String padded =
        DIGITS
            .matcher(version.value())
            .replaceAll(run -> "%02d%s".formatted(run.group().length(), run.group()));
    return padded + "\n" + version.value();
  }

  private static Moved moved(Object reply) {
    List<String> parts = texts(reply);
    if (parts.getFirst().equals("refused"))
      return new Moved.Refused(Records.standing(parts.get(1)));
    Standing to = Records.standing(parts.get(2).equals("gone") ? "condemned" : parts.get(2));
    Standing from = Records.standing(parts.get(1));
    return new Moved.Done(
        from == null ? Objects.requireNonNull(to) : from, Objects.requireNonNull(to));
  }

  @Override
  public Future<ProveResult> prove(Mandate mandate, Proof proof, Terms terms) {
    PoolName pool = mandate.pool();
    List<String> args = new ArrayList<>();
    args.addAll(List.of(millis(terms.confirmWithin()), millis(terms.maxSession())));
    args.addAll(proof(proof));
    return store.call(pool, PROVE, under(mandate, args)).map(reply -> proved(pool, reply));
  }

  private static ProveResult proved(PoolName pool, Object reply) {
    List<?> parts = list(reply);
    return switch (text(parts.getFirst())) {
      case "warm" -> new ProveResult.Warm();
      case "granted" -> new ProveResult.Granted(Records.grant(pool, Fields.of(parts.get(1))));
      case "held" -> new ProveResult.Held(Fields.instant(text(parts.get(1))));
      case "refused" ->
          new ProveResult.Refused(Records.standing(text(parts.get(1))), text(parts.get(2)));
      default -> throw RedisClaims.unexpected("prove", parts);
    };
  }

  @Override
  public Future<Void> vouch(Mandate mandate, List<Proof> proofs) {
    // Also with nothing to vouch for: callers ask this way whether they still lead.
    List<String> args = new ArrayList<>();
    proofs.forEach(proof -> args.addAll(proof(proof)));
    return store.call(mandate.pool(), VOUCH, under(mandate, args)).mapEmpty();
  }

  private static List<String> proof(Proof proof) {
    return List.of(
        proof.machine().value(),
        millis(proof.bootedAt()),
        millis(proof.guacdAt()),
        millis(proof.rdpAt()));
  }

  @Override
  public Future<LoseResult> lose(
      Mandate mandate, MachineId machine, SessionId session, Epoch epoch, Terms terms) {
    List<String> args =
        List.of(
            machine.value(),
            session.value(),
            epoch.toString(),
            terms.failover().name().toLowerCase(Locale.ROOT),
            millis(terms.confirmWithin()),
            millis(terms.maxSession()),
            millis(terms.keyKept()));
    return store
        .call(mandate.pool(), LOSE, under(mandate, args))
        .map(reply -> lost(mandate.pool(), reply));
  }

  private static LoseResult lost(PoolName pool, Object reply) {
    List<?> parts = list(reply);
    return switch (text(parts.getFirst())) {
      case "lost" -> new LoseResult.Lost();
      case "replaced" -> new LoseResult.Replaced(Records.grant(pool, Fields.of(parts.get(1))));
      case "moved" -> new LoseResult.Moved();
      default -> throw RedisClaims.unexpected("lose", parts);
    };
  }

  @Override
  public Future<List<SessionView>> expire(Mandate mandate, Terms terms) {
    List<String> args =
        List.of(
            millis(terms.renewWithin()),
            millis(terms.lease()),
            millis(terms.maxSession()),
            millis(terms.keyKept()));
    return store
        .call(mandate.pool(), EXPIRE, under(mandate, args))
        .map(reply ->
            list(reply).stream()
                .map(each -> Records.session(mandate.pool(), Fields.of(each)))
                .toList());
  }

  @Override
  public Future<Void> mark(
      PoolName pool, Region region, @Nullable MachineId machine, Marks.Mark mark, boolean on) {
    List<String> args =
        List.of(
            region.code(),
            machine == null ? "" : machine.value(),
            mark.name().toLowerCase(Locale.ROOT),
            on ? "on" : "off");
    return store.call(pool, MARK, args).mapEmpty();
  }

  private static List<String> under(Mandate mandate, List<String> args) {
    List<String> all = new ArrayList<>(args.size() + 2);
    all.add(mandate.region().code());
    all.add(mandate.epoch().toString());
    all.addAll(args);
    return all;
  }
}
