// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

/**
 * Writes HTML and SVG. Whatever is handed in as text or as the value of an attribute is escaped
 * here and nowhere else; names of tags and attributes are our own.
 */
final class Markup {
  private static final char UNPRINTABLE = '\uFFFD';

  private final StringBuilder out = new StringBuilder();

  /** Opens a tag; attributes are names and values by turns. */
  Markup open(String tag, Object... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(String.valueOf(attributes[i + 1]));
      out.append('"');
    }
    out.append('>');
    return this;
  }

  Markup close(String tag) {
    out.append("</").append(tag).append(">\n");
    return this;
  }

  /** A tag with nothing but text in it. */
  Markup leaf(String tag, String text, Object... attributes) {
    return open(tag, attributes).text(text).close(tag);
  }

  /** A tag of SVG that holds nothing. */
  Markup shape(String tag, Object... attributes) {
    open(tag, attributes);
    out.setLength(out.length() - 1);
    out.append("/>\n");
    return this;
  }

  Markup text(String text) {
    escape(text);
    return this;
  }

  /** Our own words that are markup already. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  private void escape(String text) {
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            default -> out.appendCodePoint(isPrintable(point) ? point : UNPRINTABLE);
          }
        });
  }

  /** Text that is meant to be seen: nothing that hides, reorders or breaks the page. */
  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL -> point == '\n' || point == '\t';
      case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> false;
      default -> true;
    };
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
