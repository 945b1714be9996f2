// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The file that tokens are kept in, hashed. Read by schedulers, written by {@code cupbear token}.
 * Written whole: beside it first, to the disk, then moved over it, readable by its owner only.
 */
public final class TokenFile {
  /** Some five thousand tokens; more belong into a directory of another kind. */
  static final long BYTES_MOST = 1L << 20;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;

  public TokenFile(Path path) {
    this.path = path;
  }

  /** What is in the file. */
  public sealed interface Content {
    record Tokens(List<Token> tokens) implements Content {
      public Tokens {
        tokens = List.copyOf(tokens);
      }
    }

    /** Not there yet. */
    record Missing() implements Content {}

    record Broken(List<String> problems) implements Content {
      public Broken {
        problems = List.copyOf(problems);
      }
    }
  }

  /** A token that was just made: the only time that its text is there. */
  public record Made(Token token, Secret text) {}

  public Path path() {
    return path;
  }

  public Content read() {
    try {
      return parse(bytes());
    } catch (NoSuchFileException e) {
      return new Content.Missing();
    } catch (IOException e) {
      return broken("cannot be read (%s)".formatted(e.getClass().getSimpleName()));
    }
  }

  byte[] bytes() throws IOException {
    if (Files.size(path) > BYTES_MOST) throw new IOException("larger than 1 MiB");
    return Files.readAllBytes(path);
  }

  /** Whoever can write the file can make himself an admin. */
  Content parse(byte[] bytes) throws IOException {
    if (isWritableByOthers()) return broken("others may write it; chmod 600 it");
    List<String> problems = new ArrayList<>();
    List<Token> tokens = TokenJson.read(bytes, problems);
    return problems.isEmpty() ? new Content.Tokens(tokens) : new Content.Broken(problems);
  }

  private static Content broken(String problem) {
    return new Content.Broken(List.of(problem));
  }

  private boolean isWritableByOthers() throws IOException {
    if (!isPosix()) return false;
    Set<PosixFilePermission> there = Files.getPosixFilePermissions(path);
    return there.contains(PosixFilePermission.GROUP_WRITE)
        || there.contains(PosixFilePermission.OTHERS_WRITE);
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /** What a new token shall be. */
  public record Wish(
      String name,
      Role role,
      Set<cupbear.scheduler.model.PoolName> pools,
      Instant created,
      Optional<Instant> expires) {}

  /**
   * Adds a token. Several tokens may share a name, so that one can take over from another; all of
   * them have the same role.
   *
   * @throws IllegalArgumentException when the name has another role, or the file is broken
   */
  public Made create(Wish wish, SecureRandom random) throws IOException {
    byte[] before = currentBytes();
    List<Token> tokens = new ArrayList<>(tokens());
    for (Token each : tokens) {
      if (each.name().equals(wish.name()) && each.role() != wish.role()) {
        throw new IllegalArgumentException(
            "%s has a token with role %s (%s); take another name, or revoke that one first"
                .formatted(wish.name(), each.role().word(), each.id()));
      }
    }
    String id = TokenText.newId(random);
    Secret text = TokenText.make(id, random);
    String digest = HexFormat.of().formatHex(TokenText.digest(text.reveal()));
    Token token =
        new Token(
            id,
            wish.name(),
            wish.role(),
            new java.util.TreeSet<>(wish.pools()),
            digest,
            wish.created(),
            wish.expires().orElse(null));
    tokens.add(token);
    write(tokens, before);
    return new Made(token, text);
  }

  /** Removes a token; empty when there is none with this id. */
  public Optional<Token> revoke(String id) throws IOException {
    byte[] before = currentBytes();
    List<Token> tokens = new ArrayList<>(tokens());
    Optional<Token> found = tokens.stream().filter(each -> each.id().equals(id)).findFirst();
    if (found.isEmpty()) return found;
    tokens.remove(found.get());
    write(tokens, before);
    return found;
  }

  /**
   * @throws IllegalArgumentException when the file is broken: writing would lose what is in it
   */
  public List<Token> tokens() {
    return switch (read()) {
      case Content.Tokens good -> good.tokens();
      case Content.Missing missing -> List.of();
      case Content.Broken broken ->
          throw new IllegalArgumentException(
              "%s: %s".formatted(path, String.join("; ", broken.problems())));
    };
  }

  private byte[] currentBytes() throws IOException {
    return Files.exists(path) ? bytes() : new byte[0];
  }

  private void write(List<Token> tokens, byte[] before) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    Path beside = Files.createTempFile(folder, ".tokens", ".new", ownerOnly());
    try {
      try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        ByteBuffer bytes =
            ByteBuffer.wrap(TokenJson.write(tokens).getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) channel.write(bytes);
        channel.force(true);
      }
      if (!Arrays.equals(before, currentBytes())) {
        throw new IOException(path + " was changed by someone else just now; try again");
      }
      Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return isPosix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }
}
