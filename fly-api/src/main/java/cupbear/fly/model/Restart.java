// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;

/**
 * What happens when the process in a Machine ends by itself. A stop through the API is never undone
 * by it.
 *
 * @param policy {@code always}, {@code no}, {@code on-failure} or a word of Fly's we do not know
 */
public record Restart(
    String policy, int maxRetries, @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

  public static final Restart ALWAYS = new Restart("always", 0, Map.of());
  public static final Restart NO = new Restart("no", 0, Map.of());

  public Restart {
    policy = Absent.text(policy);
    other = Absent.map(other);
  }

  public static Restart onFailure(int maxRetries) {
    return new Restart("on-failure", maxRetries, Map.of());
  }
}
