// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What is not known about the platform, or differs between sources, and can therefore be chosen.
 *
 * @param startOnStarted whether starting a started Machine succeeds or is a conflict
 * @param stopUnderLease what stop and delete do while another holds the lease
 * @param execUnderLease the same for exec
 * @param metadataWhileReplacing whether metadata can be written during an update
 * @param badSchedule whether a schedule that does not exist is refused
 * @param skipLaunchRestsIn where a Machine created with skip_launch comes to rest
 * @param leaseShape the inner object alone, or in the {@code {"status","data"}} envelope
 * @param exitEventUnder where an exit event keeps its payload
 * @param regionKeys how the two keys of the region list are spelt
 * @param leaseDefaultTtlS for a lease that names no time
 * @param leaseMaxTtlS longer ones are refused
 * @param destroyedRetentionS platform seconds that a destroyed Machine still answers
 * @param rateLimits off means no 429 ever
 * @param rateLimitFactor multiplies every sustained rate
 * @param stuckCreatedRate share of creates that hang in created
 * @param coldResumeRate share of resumes that lost their snapshot and boot cold
 * @param coldImageFirst whether the first boot of an image in a region fetches it
 */
public record Switches(
    Verdict startOnStarted,
    UnderLease stopUnderLease,
    Verdict execUnderLease,
    Verdict metadataWhileReplacing,
    Verdict badSchedule,
    Rest skipLaunchRestsIn,
    LeaseShape leaseShape,
    ExitPlace exitEventUnder,
    KeyCase regionKeys,
    long leaseDefaultTtlS,
    long leaseMaxTtlS,
    long destroyedRetentionS,
    boolean rateLimits,
    double rateLimitFactor,
    double stuckCreatedRate,
    double coldResumeRate,
    boolean coldImageFirst) {

  /** Whether something of doubt goes through. */
  public enum Verdict {
    ACCEPT,
    REFUSE
  }

  /** What happens to a call that meets somebody else's lease. */
  public enum UnderLease {
    BLOCK,
    REFUSE
  }

  /** Where a Machine that is not launched waits. */
  public enum Rest {
    STOPPED,
    CREATED
  }

  /** How a lease is wrapped. */
  public enum LeaseShape {
    ENVELOPE,
    FLAT
  }

  /** Where the payload of an exit event stands. */
  public enum ExitPlace {
    REQUEST,
    MONITOR_EVENT
  }

  /** How keys are spelt. */
  public enum KeyCase {
    CAPITAL,
    LOWER
  }

  public Switches {
    if (leaseDefaultTtlS < 1 || leaseMaxTtlS < leaseDefaultTtlS) {
      throw new IllegalArgumentException("give 1 <= lease_default_ttl_s <= lease_max_ttl_s");
    }
    if (destroyedRetentionS < 0 || !(rateLimitFactor > 0)) {
      throw new IllegalArgumentException(
          "destroyed_retention_s cannot be negative, rate_limit_factor must be above 0");
    }
    requireShare("stuck_created_rate", stuckCreatedRate);
    requireShare("cold_resume_rate", coldResumeRate);
  }

  /** What the sources lean to. */
  public static Switches standard() {
    return new Switches(
        Verdict.ACCEPT,
        UnderLease.BLOCK,
        Verdict.ACCEPT,
        Verdict.ACCEPT,
        Verdict.REFUSE,
        Rest.STOPPED,
        LeaseShape.ENVELOPE,
        ExitPlace.REQUEST,
        KeyCase.CAPITAL,
        30,
        86_400,
        3_600,
        true,
        1,
        0.001,
        0.02,
        true);
  }

  /** These switches with some set anew, by their names in JSON. */
  Switches with(ObjectNode changes) {
    ObjectNode merged = toJson();
    merged.setAll(changes);
    try {
      return Json.MAPPER.treeToValue(merged, Switches.class);
    } catch (JsonProcessingException e) {
      throw Errors.invalid("switches: " + e.getOriginalMessage());
    }
  }

  ObjectNode toJson() {
    return Json.MAPPER.valueToTree(this);
  }

  private static void requireShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " is " + share + "; give 0 to 1");
    }
  }
}
