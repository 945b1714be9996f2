// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One Lua file of {@code resources/lua}, with the common prelude in front: fixed at build time,
 * called by its hash.
 */
record Script(String name, String source, String sha) {
  private static final String PRELUDE = read("prelude");

  static Script named(String name) {
    String source = PRELUDE + "\n" + read(name);
    return new Script(name, source, sha1(source));
  }

  private static String read(String name) {
    String path = "/lua/" + name + ".lua";
    try (InputStream file = Script.class.getResourceAsStream(path)) {
      if (file == null) throw new IllegalStateException(path + " is missing: build again");
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String source) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-1, which Redis names scripts by", e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
