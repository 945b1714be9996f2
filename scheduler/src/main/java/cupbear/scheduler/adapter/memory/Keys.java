// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.SessionId;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Idempotency keys: the hashes {@code idem:<caller>:<key>}, each with a time to live. */
final class Keys {
  /** A key belongs to its caller: others may use the same. */
  record Name(Caller caller, String key) implements Comparable<Name> {
    private static final Comparator<Name> ORDER =
        Comparator.comparing((Name name) -> name.caller().id()).thenComparing(Name::key);

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }
  }

  /** What a key stands for. */
  record Used(SessionId session, String fingerprint) {}

  private final Map<Name, Used> used = new TreeMap<>();
  private final Calendar<Name> ends;

  Keys() {
    this(new Calendar<>());
  }

  private Keys(Calendar<Name> ends) {
    this.ends = ends;
  }

  Keys copy() {
    Keys copy = new Keys(ends.copy());
    copy.used.putAll(used);
    return copy;
  }

  @Nullable Used find(Caller caller, String key) {
    return used.get(new Name(caller, key));
  }

  void keep(SessionRow session, Instant until) {
    Name name = new Name(session.caller, session.key);
    used.put(name, new Used(session.id, session.fingerprint));
    ends.put(name, until);
  }

  /** Nothing was delivered under it: the same key may ask again. */
  void free(SessionRow session) {
    Name name = new Name(session.caller, session.key);
    Used now = used.get(name);
    if (now == null || !now.session().equals(session.id)) return;
    used.remove(name);
    ends.remove(name);
  }

  void forgetOld(Instant now) {
    for (var gone = ends.popDue(now); gone.isPresent(); gone = ends.popDue(now)) {
      used.remove(gone.get());
    }
  }
}
