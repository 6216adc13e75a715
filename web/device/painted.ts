import { isVisible, onVisible } from './visibility.ts'

/**
 * Calls back once the current state of the page was really painted on a visible page. A hidden page is
 * not painted: it waits until the page is visible again. Returns the cancel function.
 */
export function afterPaint(callback: () => void): () => void {
  let frame = 0
  const requestFrames = () => {
    cancelAnimationFrame(frame)
    // The first callback runs before the frame is painted, the second after it.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (!isVisible()) return
        undoVisible()
        callback()
      })
    })
  }
  const undoVisible = onVisible(requestFrames)
  requestFrames()
  return () => {
    cancelAnimationFrame(frame)
    undoVisible()
  }
}
