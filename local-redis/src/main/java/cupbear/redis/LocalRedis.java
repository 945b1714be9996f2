// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import java.util.List;

/**
 * One real Redis that needs no installation: ephemeral loopback port, random password, its own
 * temporary folder, nothing persisted. It ends with {@link #close} and, whatever happens, with this
 * JVM. All data is lost then, which is the point.
 */
public final class LocalRedis implements AutoCloseable {

  private final RedisSetup setup;

  private LocalRedis(RedisSetup setup) {
    this.setup = setup;
  }

  /** Starts it and returns when it answers. */
  public static LocalRedis start() {
    return new LocalRedis(
        RedisSetup.start(setup -> setup.add("redis", port -> List.of("save \"\""))));
  }

  public RedisAddress address() {
    return process().address();
  }

  /** The server itself, for tests that kill or freeze it. */
  public RedisProcess process() {
    return setup.processes().getFirst();
  }

  @Override
  public void close() {
    setup.close();
  }
}
