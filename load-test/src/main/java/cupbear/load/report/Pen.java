// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

/**
 * Draws a line through places, to the whole unit and by the shortest words, since a page has tens
 * of thousands of them.
 */
final class Pen {
  private final StringBuilder path = new StringBuilder();
  private boolean isDown;
  private long lastX;
  private long lastY;

  /** The next place begins a new line. */
  void lift() {
    isDown = false;
  }

  void to(double placeX, double placeY) {
    long x = Math.round(placeX);
    long y = Math.round(placeY);
    if (isDown) draw(x - lastX, y - lastY);
    // A line of no length is a dot: a place without neighbours is seen as well.
    else path.append('M').append(x).append(' ').append(y).append("h0");
    isDown = true;
    lastX = x;
    lastY = y;
  }

  private void draw(long right, long down) {
    if (right == 0 && down == 0) return;
    if (down == 0) path.append('h').append(right);
    else if (right == 0) path.append('v').append(down);
    else path.append('l').append(right).append(down < 0 ? "" : " ").append(down);
  }

  boolean isEmpty() {
    return path.isEmpty();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
