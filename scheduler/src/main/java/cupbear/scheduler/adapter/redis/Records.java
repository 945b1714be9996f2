// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** From the hashes of Redis to our words. The scripts are the other half of this file. */
final class Records {
  private static final Set<String> ENTRY_FIELDS =
      Set.of("at", "kind", "region", "machine", "session", "epoch", "why");

  private Records() {}

  static SessionView session(PoolName pool, Fields f) {
    return new SessionView(
        new SessionId(f.get("id")),
        new Caller(f.get("caller")),
        f.get("tenant"),
        SessionView.Stage.valueOf(f.get("stage").toUpperCase(Locale.ROOT)),
        f.get("machine").isEmpty() ? null : grant(pool, f),
        f.get("machine").isEmpty() ? null : f.maybeInstant("due"),
        f.maybeInstant("confirmed"),
        f.maybeInstant("lost"),
        f.get("ended").isEmpty() ? null : ended(f.get("ended")));
  }

  static SessionView.Ended ended(String word) {
    return SessionView.Ended.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static Grant grant(PoolName pool, Fields f) {
    Caller caller = new Caller(f.get("caller"));
    return grant(pool, new SessionId(f.get("id")), caller, f.get("key"), f.get("fingerprint"), f);
  }

  /** What a claim has just been granted: the reply leaves out what its request says. */
  static Grant grant(ClaimRequest asked, Fields f) {
    return grant(
        asked.pool(),
        asked.proposed().session(),
        asked.caller(),
        asked.key(),
        asked.fingerprint(),
        f);
  }

  private static Grant grant(
      PoolName pool, SessionId session, Caller caller, String key, String fingerprint, Fields f) {
    MachineId machine = new MachineId(f.get("machine"));
    return new Grant(
        pool,
        session,
        caller,
        key,
        fingerprint,
        machine,
        new Region(f.get("region")),
        f.get("address"),
        new Epoch(f.number("epoch")),
        f.instantOf("granted"),
        Duration.ofMillis(f.number("waited")),
        f.instantOf("confirm_by"),
        new Proof(machine, f.instantOf("booted"), f.instantOf("guacd"), f.instantOf("rdp")),
        f.maybe("sealed"));
  }

  static @Nullable Standing standing(String word) {
    return word.isEmpty() ? null : Standing.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static Booked machine(MachineId id, Fields f) {
    Instant booted = f.instantOf("booted");
    Proof proof =
        f.number("guacd") == 0
            ? null
            : new Proof(id, booted, f.instantOf("guacd"), f.instantOf("rdp"));
    return new Booked(
        id,
        f.get("name"),
        new Region(f.get("region")),
        new TemplateVersion(f.get("template")),
        Keep.valueOf(f.get("keep").toUpperCase(Locale.ROOT)),
        booted,
        f.maybe("address"),
        state(f),
        proof);
  }

  private static MachineState state(Fields f) {
    Instant since = f.instantOf("since");
    return switch (Standing.valueOf(f.get("state").toUpperCase(Locale.ROOT))) {
      case PROVISIONING -> new MachineState.Provisioning(since);
      case PROVING -> new MachineState.Proving(since, f.get("staged").equals("1"));
      case WARM -> new MachineState.Warm(since);
      case ASSIGNED ->
          new MachineState.Assigned(
              since, new SessionId(f.get("session")), new Epoch(f.number("epoch")));
      case DRAINING -> new MachineState.Draining(since, cleaning(f.get("cleaning")));
      case PARKED -> new MachineState.Parked(since);
      case CONDEMNED -> new MachineState.Condemned(since, f.get("lost").equals("1"));
      case UNKNOWN -> new MachineState.Unknown(since);
    };
  }

  private static Cleaning cleaning(String word) {
    return word.isEmpty() ? Cleaning.NOTHING : Cleaning.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static Entry entry(PoolName pool, String id, Fields f) {
    TreeMap<String, String> data = new TreeMap<>(f.values());
    data.keySet().removeAll(ENTRY_FIELDS);
    return new Entry(
        id,
        f.instantOf("at"),
        f.get("kind"),
        pool,
        f.get("region").isEmpty() ? null : new Region(f.get("region")),
        f.get("machine").isEmpty() ? null : new MachineId(f.get("machine")),
        f.get("session").isEmpty() ? null : new SessionId(f.get("session")),
        f.get("epoch").isEmpty() ? null : new Epoch(f.number("epoch")),
        f.get("why"),
        data);
  }
}
