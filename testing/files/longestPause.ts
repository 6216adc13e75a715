/** Measures the longest time in which this thread's event loop did not turn, until `end` is called. */
export function longestPause() {
  const startMs = performance.now()
  let longestMs = 0
  let lastMs = startMs
  const look = () => {
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
  }
  const timer = setInterval(look, 1)
  return {
    end() {
      clearInterval(timer)
      look()
      return { longestMs, wholeMs: performance.now() - startMs }
    },
  }
}
