// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.NOW;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Sighting;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One Machine as a test tells it: healthy and at peace unless said otherwise. */
final class Seen {
  static final Map<String, String> TAGS = Map.of("managed_by", "cupbear/test", "app", "viewer");

  private final String id;
  private final Function<Instant, MachineState> state;
  private Instant since = NOW.minusSeconds(60);
  private Instant booted = NOW.minusSeconds(90);
  private Power power;
  private @Nullable Instant powerSince;
  private int missed;
  private @Nullable Instant hostBad;
  private @Nullable Instant exited;
  private Health health;
  private TemplateVersion template = new TemplateVersion("7");
  private Keep keep = Keep.ALWAYS;
  private @Nullable Map<String, String> tags;

  private Seen(String id, Function<Instant, MachineState> state, Power power, Health health) {
    this.id = id;
    this.state = state;
    this.power = power;
    this.health = health;
  }

  static Seen provisioning(String id) {
    return new Seen(id, MachineState.Provisioning::new, Power.COMING_UP, Health.UNKNOWN);
  }

  static Seen proving(String id) {
    return proving(id, true);
  }

  static Seen proving(String id, boolean staged) {
    return new Seen(id, at -> new MachineState.Proving(at, staged), Power.RUNNING, Health.UNKNOWN);
  }

  static Seen warm(String id) {
    return new Seen(id, MachineState.Warm::new, Power.RUNNING, healthy());
  }

  static Seen assigned(String id) {
    SessionId session = new SessionId("ses_" + id);
    return new Seen(
        id, at -> new MachineState.Assigned(at, session, new Epoch(8)), Power.RUNNING, healthy());
  }

  static Seen draining(String id, Cleaning cleaning) {
    return new Seen(id, at -> new MachineState.Draining(at, cleaning), Power.RUNNING, healthy());
  }

  static Seen parked(String id) {
    return new Seen(id, MachineState.Parked::new, Power.STOPPED, Health.UNKNOWN);
  }

  static Seen condemned(String id, boolean lost) {
    return new Seen(id, at -> new MachineState.Condemned(at, lost), Power.RUNNING, Health.UNKNOWN);
  }

  static Seen unknown(String id) {
    return new Seen(id, MachineState.Unknown::new, Power.RUNNING, Health.UNKNOWN);
  }

  private static Health healthy() {
    return new Health(0, 5, true, NOW.minusSeconds(12), NOW.minusSeconds(12));
  }

  /** It stands so since this long. */
  Seen idle(Duration length) {
    since = NOW.minus(length);
    if (booted.isAfter(since)) booted = since.minusSeconds(30);
    return this;
  }

  Seen age(Duration length) {
    booted = NOW.minus(length);
    return this;
  }

  Seen power(Power seen) {
    power = seen;
    return this;
  }

  Seen power(Power seen, Duration ago) {
    power = seen;
    powerSince = NOW.minus(ago);
    return this;
  }

  Seen missing(int lists) {
    power = Power.ABSENT;
    missed = lists;
    return this;
  }

  Seen hostBad(Duration ago) {
    hostBad = NOW.minus(ago);
    return this;
  }

  Seen exited(Duration ago) {
    exited = NOW.minus(ago);
    return this;
  }

  Seen strikes(int count) {
    return strikes(count, Duration.ofSeconds(2));
  }

  Seen strikes(int count, Duration ago) {
    health = new Health(count, 0, true, NOW.minusSeconds(60), NOW.minus(ago));
    return this;
  }

  Seen answered(Duration ago) {
    health = new Health(0, 5, true, NOW.minus(ago), NOW.minus(ago));
    return this;
  }

  Seen template(String version) {
    template = new TemplateVersion(version);
    return this;
  }

  Seen manual() {
    keep = Keep.MANUAL;
    return this;
  }

  Seen tagged(Map<String, String> given) {
    tags = given;
    return this;
  }

  Machine machine() {
    MachineState now = state.apply(since);
    Instant absentSince = power == Power.ABSENT ? NOW.minusSeconds(5L * missed) : null;
    Sighting fly =
        new Sighting(
            power,
            powerSince,
            missed,
            absentSince,
            hostBad,
            exited,
            tags == null ? own(now) : tags);
    return new Machine(new MachineId(id), "name-" + id, template, keep, booted, now, fly, health);
  }

  private Map<String, String> own(MachineState now) {
    Map<String, String> own = new TreeMap<>(TAGS);
    own.put("role", "warm-pool");
    own.put("pool", "viewers");
    own.put("region", "iad");
    own.put("template_version", template.value());
    own.put("keep", keep.word());
    own.put("state", now.standing().word());
    return own;
  }
}
