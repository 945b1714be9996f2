// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.world.Timers.Timer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one Machine. Plain state, changed by {@link Lifecycle} and the calls; who
 * changes what others can see calls {@link Journal#changed}. World's thread.
 */
final class Machine {
  static final int EVENTS_KEPT = 50;
  static final int EVENTS_EMBEDDED = 5;

  /** One version of the configuration. */
  record Version(String instanceId, ObjectNode config) {}

  final App app;
  final String id;
  final String name;
  final String region;
  final Instant createdAt;

  State state = State.CREATED;
  Instant updatedAt;

  /** Newest last. */
  final List<Version> versions = new ArrayList<>();

  /** Newest first. */
  final Deque<Event> events = new ArrayDeque<>();

  final History history = new History();
  final List<Waiter> waiters = new ArrayList<>();

  /** When the restart policy brought it back. */
  final List<Instant> restarts = new ArrayList<>();

  String privateIp = "";
  int guacdPort;
  int rdpPort;
  boolean cordoned;
  @Nullable Lease lease;

  /** Since when its host has not answered; null while it does. */
  @Nullable Instant hostDownSince;

  Mode viewerMode = Mode.READY;

  /** From when on the services inside answer; meaningful while started. */
  Instant readyAt = Instant.MAX;

  /** Until when a start is refused although it is stopped. */
  Instant reapedAt = Instant.MIN;

  Instant destroyedAt = Instant.MAX;

  /** Whether an update has happened since the last start: where starts get lost. */
  boolean updatedSinceStart;

  /** The step that is under way; at most one. */
  @Nullable Timer pending;

  /** What became due while the host did not answer. */
  final List<Runnable> postponed = new ArrayList<>();

  /** Calls that wait for somebody's lease to end. */
  final List<Runnable> blocked = new ArrayList<>();

  /** Counts what was begun, so that a late answer about an earlier life is recognised. */
  int life;

  /** Marks when the services inside will be ready. */
  @Nullable Timer readiness;

  Machine(App app, String id, String name, String region, Instant createdAt) {
    this.app = app;
    this.id = id;
    this.name = name;
    this.region = region;
    this.createdAt = createdAt;
    this.updatedAt = createdAt;
  }

  String instanceId() {
    return versions.getLast().instanceId;
  }

  ObjectNode config() {
    return versions.getLast().config;
  }

  ObjectNode metadata() {
    return config().withObjectProperty("metadata");
  }

  boolean isHostDown() {
    return hostDownSince != null;
  }

  boolean isRunning() {
    return state == State.STARTED;
  }

  /** The lease while it lasts. */
  @Nullable Lease leaseAt(Instant now) {
    return lease != null && lease.isHeldAt(now) ? lease : null;
  }

  void cancelSteps() {
    life++;
    postponed.clear();
    if (pending != null) {
      pending.cancel();
      pending = null;
    }
    if (readiness != null) {
      readiness.cancel();
      readiness = null;
    }
  }

  ObjectNode toJson(Instant now) {
    ObjectNode json =
        Json.object()
            .put("id", id)
            .put("name", name)
            .put("state", state.wireName())
            .put("region", region)
            .put("instance_id", instanceId())
            .put("private_ip", privateIp)
            .put("created_at", Json.seconds(createdAt))
            .put("updated_at", Json.seconds(updatedAt))
            .put("cordoned", cordoned)
            .put("host_status", isHostDown() ? "unreachable" : "ok");
    if (isHostDown()) {
      json.set("incomplete_config", incompleteConfig());
    } else {
      json.set("config", config().deepCopy());
    }
    json.set("image_ref", ImageRef.of(config().path("image").asText()));
    ArrayNode newest = json.putArray("events");
    events.stream().limit(EVENTS_EMBEDDED).forEach(event -> newest.add(event.toJson()));
    if (config().path("checks").size() > 0) {
      json.set("checks", checks(now));
    }
    return json;
  }

  /** Unfit for cloning, and without the metadata that tells whose Machine it is. */
  private ObjectNode incompleteConfig() {
    ObjectNode partial = Json.object();
    partial.set("image", config().path("image"));
    partial.set("guest", config().path("guest").deepCopy());
    return partial;
  }

  private ArrayNode checks(Instant now) {
    boolean answers =
        isRunning()
            && !now.isBefore(readyAt)
            && (viewerMode == Mode.READY || viewerMode == Mode.DRIP);
    ArrayNode checks = Json.array();
    for (Map.Entry<String, ?> check : config().path("checks").properties()) {
      checks
          .addObject()
          .put("name", check.getKey())
          .put("status", answers ? "passing" : "critical")
          .put("output", answers ? "Success" : "connect: connection refused")
          .put("updated_at", Json.seconds(updatedAt));
    }
    return checks;
  }
}
