import { isVisible, onVisible } from './visibility.ts'

/**
 * Calls back once the frame that shows what is in the page now was really painted on a visible
 * page. While the page is hidden nothing is painted: it waits until it is seen. Returns its undoing.
 */
export function afterPaint(callback: () => void): () => void {
  let frame = 0
  const wait = () => {
    cancelAnimationFrame(frame)
    // The first callback runs before the frame is painted; the second says that it was.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (!isVisible()) return
        undoVisible()
        callback()
      })
    })
  }
  const undoVisible = onVisible(wait)
  wait()
  return () => {
    cancelAnimationFrame(frame)
    undoVisible()
  }
}
