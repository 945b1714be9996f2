// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "Linux, amd64, redis-server-7.0.15-linux-amd64",
    "Linux, aarch64, redis-server-7.0.15-linux-arm64",
    "Mac OS X, x86_64, redis-server-7.0.15-darwin-amd64",
    "Mac OS X, aarch64, redis-server-7.0.15-darwin-arm64",
  })
  void everyPlatformWePromiseHasItsServerInTheJar(String os, String arch, String resource) {
    assertThat(RedisBinary.resourceFor(os, arch)).isEqualTo(resource);
    assertThat(RedisBinary.class.getResource("/" + resource)).isNotNull();
  }

  @Test
  void anUnknownPlatformIsToldWhatToUseInstead() {
    assertThatThrownBy(() -> RedisBinary.resourceFor("Windows 11", "amd64"))
        .hasMessageContaining("Windows 11")
        .hasMessageContaining("Redis of your own");
  }
}
