// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class LocalRedisIT {

  @Test
  void servesWithoutPersistenceInItsOwnFolder() {
    try (LocalRedis redis = LocalRedis.start();
        Jedis jedis = redis.address().connect()) {
      jedis.set("cup", "full");

      assertThat(jedis.get("cup")).isEqualTo("full");
      assertThat(jedis.configGet("save").get("save")).isEmpty();
      assertThat(jedis.configGet("appendonly").get("appendonly")).isEqualTo("no");
      assertThat(jedis.configGet("bind").get("bind")).isEqualTo("127.0.0.1");
      assertThat(folderOf(jedis)).isDirectory();
    }
  }

  @Test
  void asksForItsPasswordAndNeverPrintsIt() {
    try (LocalRedis redis = LocalRedis.start();
        Jedis stranger = new Jedis(redis.address().hostAndPort())) {
      assertThatThrownBy(stranger::ping)
          .isInstanceOf(JedisDataException.class)
          .hasMessageContaining("NOAUTH");
      assertThat(redis.address().toString()).doesNotContain(redis.address().password());
    }
  }

  @Test
  void severalRunBesideEachOther() {
    try (LocalRedis one = LocalRedis.start();
        LocalRedis two = LocalRedis.start()) {
      assertThat(one.address().port()).isNotEqualTo(two.address().port());
      assertThat(one.address().password()).isNotEqualTo(two.address().password());
    }
  }

  @Test
  void closeEndsTheProcessAndDeletesTheFolder() {
    Path folder;
    long pid;
    try (LocalRedis redis = LocalRedis.start();
        Jedis jedis = redis.address().connect()) {
      folder = folderOf(jedis);
      pid = redis.process().pid();
    }

    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(folder).doesNotExist();
    assertThat(folder.getParent()).doesNotExist();
  }

  @Test
  void killedItIsGoneAtOnce() {
    try (LocalRedis redis = LocalRedis.start()) {
      redis.process().kill();

      await()
          .untilAsserted(() ->
              assertThatThrownBy(() -> redis.address().connect().ping())
                  .isInstanceOf(JedisConnectionException.class));
    }
  }

  @Test
  void endsWithItsJvmEvenWhenThatIsKilled() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader says = jvm.inputReader(UTF_8)) {
      long pid = Long.parseLong(says.readLine());
      Path folder = Path.of(says.readLine());
      assertThat(ProcessHandle.of(pid)).isPresent();
      assertThat(folder).isDirectory();

      jvm.destroyForcibly().waitFor(); // SIGKILL: no shutdown hook runs

      await().untilAsserted(() -> assertThat(ProcessHandle.of(pid)).isEmpty());
      await().untilAsserted(() -> assertThat(folder).doesNotExist());
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** A JVM that owns a Redis, says where it is, and then hangs until it is killed. */
  static final class Owner {
    public static void main(String[] args) throws Exception {
      LocalRedis redis = LocalRedis.start();
      try (Jedis jedis = redis.address().connect()) {
        for (Object line : List.of(redis.process().pid(), folderOf(jedis).getParent())) {
          System.out.println(line);
        }
      }
      Thread.currentThread().join();
    }
  }

  private static Path folderOf(Jedis jedis) {
    Path folder = Path.of(jedis.configGet("dir").get("dir"));
    assertThat(Files.exists(folder)).isTrue();
    return folder;
  }
}
