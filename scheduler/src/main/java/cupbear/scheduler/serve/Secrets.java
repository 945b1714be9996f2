// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.config.Problem;
import cupbear.scheduler.config.SecretVariable;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a scheduler must know and never shows. */
record Secrets(Secret flyToken, KeyRing keys, Optional<Secret> redisPassword) {

  /** What came of looking for them. */
  sealed interface Found {
    record All(Secrets secrets) implements Found {}

    /** One sentence each. */
    record Missing(List<String> what) implements Found {}
  }

  static Found in(Map<String, String> environment) {
    List<Problem> problems = new ArrayList<>();
    Optional<Secret> token = SecretVariable.FLY_TOKEN.read(environment, problems);
    Optional<Secret> key = SecretVariable.SECRET_KEY.read(environment, problems);
    Optional<Secret> old = SecretVariable.SECRET_KEY_OLD.read(environment, problems);
    Optional<Secret> password = SecretVariable.REDIS_PASSWORD.read(environment, problems);
    List<String> wrong = new ArrayList<>(problems.stream().map(Problem::toString).toList());
    boolean readable = wrong.isEmpty();
    if (readable && token.isEmpty()) {
      wrong.add(
          "CUPBEAR_FLY_TOKEN is not set; make a token with fly tokens create deploy -a <app>"
              + " and give it to the scheduler as a secret");
    }
    if (readable && key.isEmpty()) {
      wrong.add("CUPBEAR_SECRET_KEY is not set; make one with cupbear config secret-key");
    }
    if (!wrong.isEmpty() || token.isEmpty() || key.isEmpty()) return new Found.Missing(wrong);
    KeyRing ring = old.isPresent() ? KeyRing.of(key.get(), old.get()) : KeyRing.of(key.get());
    return new Found.All(new Secrets(token.get(), ring, password));
  }
}
