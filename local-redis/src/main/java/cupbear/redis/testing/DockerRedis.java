// SPDX-License-Identifier: Apache-2.0
package cupbear.redis.testing;

import com.redis.testcontainers.RedisContainer;
import cupbear.redis.RedisAddress;
import java.util.UUID;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/** Redis in a container, by Testcontainers; the only class that needs it on the class path. */
final class DockerRedis implements AutoCloseable {

  private static final String IMAGE = "redis:7.2-alpine";
  private static final int PORT = 6379;

  private final RedisContainer container;
  private final RedisAddress address;

  private DockerRedis(RedisContainer container, String password) {
    this.container = container;
    this.address = new RedisAddress(container.getHost(), container.getMappedPort(PORT), password);
  }

  static boolean engineAnswers() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  // The container is handed to the new object, whose close() stops it.
  @SuppressWarnings("resource")
  static DockerRedis start() {
    String password = UUID.randomUUID().toString();
    RedisContainer container = new RedisContainer(DockerImageName.parse(IMAGE));
    container.withCommand("redis-server", "--requirepass", password, "--save", "");
    container.start();
    return new DockerRedis(container, password);
  }

  RedisAddress address() {
    return address;
  }

  @Override
  public void close() {
    container.stop();
  }
}
