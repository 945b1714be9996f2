// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who a token belongs to. Any thread may look up; {@link #refresh} is called by one at a time (a
 * timer), and takes a changed file over whole. A broken or vanished file changes nothing: those who
 * are known stay known, and the caller is told to raise the alarm.
 */
public final class TokenDirectory {
  /** Who presented a token. */
  public sealed interface Identity {
    record Known(Caller caller) implements Identity {}

    /** No such token, or not its secret; which of them is nobody's business. */
    record Unknown() implements Identity {}

    /** It was right once. */
    record Expired(Caller caller) implements Identity {}
  }

  /** What came of looking at the file. */
  public sealed interface Refresh {
    record Unchanged() implements Refresh {}

    record Reloaded(int tokens) implements Refresh {}

    /** What was known before still holds. */
    record Kept(List<String> problems) implements Refresh {}
  }

  /** Longer texts are not tokens; hashing them would let strangers spend our time. */
  private static final int TEXT_MOST = 128;

  /** Compared with when the id is unknown, so that this takes as long as a wrong secret. */
  private static final String NOBODY = "0".repeat(64);

  private final TokenFile file;
  private volatile Map<String, Token> tokens = Map.of();
  private byte @Nullable [] seen;

  public TokenDirectory(TokenFile file) {
    this.file = file;
  }

  /** Looks at the file and takes it over when it changed and is good. */
  public synchronized Refresh refresh() {
    try {
      byte[] bytes = file.bytes();
      if (Arrays.equals(bytes, seen)) return new Refresh.Unchanged();
      return switch (file.parse(bytes)) {
        case TokenFile.Content.Tokens good -> takeOver(good.tokens(), bytes);
        case TokenFile.Content.Broken broken -> new Refresh.Kept(broken.problems());
        case TokenFile.Content.Missing missing -> kept("there is no such file");
      };
    } catch (NoSuchFileException e) {
      return kept("there is no such file; make it with cupbear token create");
    } catch (IOException e) {
      return kept("cannot be read (%s)".formatted(e.getClass().getSimpleName()));
    }
  }

  private Refresh kept(String problem) {
    return new Refresh.Kept(List.of("%s: %s".formatted(file.path(), problem)));
  }

  private Refresh takeOver(List<Token> read, byte[] bytes) {
    Map<String, Token> next = new HashMap<>();
    read.forEach(each -> next.put(each.id(), each));
    tokens = Map.copyOf(next);
    seen = bytes;
    return new Refresh.Reloaded(next.size());
  }

  /** Whose token this is. An unknown id, a wrong secret and no token at all cost the same. */
  public Identity lookup(String presented, Instant now) {
    if (presented.length() > TEXT_MOST) return new Identity.Unknown();
    Token token = TokenText.idOf(presented).map(tokens::get).orElse(null);
    byte[] expected = HexFormat.of().parseHex(token == null ? NOBODY : token.sha256());
    boolean same = MessageDigest.isEqual(TokenText.digest(presented), expected);
    if (!same || token == null) return new Identity.Unknown();
    return token.isExpired(now)
        ? new Identity.Expired(token.caller())
        : new Identity.Known(token.caller());
  }
}
