// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.trace;

import org.jspecify.annotations.Nullable;

/**
 * One piece of work in a trace, from its beginning until {@link #end}. The defaults do nothing and
 * make no garbage: values are turned into text only when somebody listens. Any thread.
 */
public interface Span {
  /** Nobody listens. */
  Span NONE = new Span() {};

  /** Whether anybody listens: worth asking before something is worked out only to be said. */
  default boolean isHeard() {
    return false;
  }

  /** A part of this work, which begins now. */
  default Span child(String name) {
    return NONE;
  }

  /** What is known of it; never a secret. */
  default Span with(String key, Object value) {
    return this;
  }

  /** It went wrong; one word of a closed set. */
  default Span failed(String type) {
    return this;
  }

  default void end() {}

  /** The trace it belongs to; empty when there is none. */
  default String traceId() {
    return "";
  }

  /** For the header of that name, in a call or an answer; null when there is no trace. */
  default @Nullable String traceparent() {
    return null;
  }
}
