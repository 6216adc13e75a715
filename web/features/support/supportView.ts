import { record } from '@rrweb/record'
import { maxAssistBytes } from '#contract/supportRules.ts'

/** What changes on the page is sent together so often. */
const everyMs = 150

/** The page as it is shown, to be sent on while somebody may see it. */
export interface View {
  /** Begins anew with the whole page: for an agent who has just come. */
  again(): void
  stop(): void
}

/**
 * Follows what the page shows. `send` gets gzipped JSON lists of rrweb's events, in order; what is in fields
 * is masked.
 */
export function viewPage(send: (events: ArrayBuffer) => void): View {
  let waiting: unknown[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Promise.resolve()

  function flush() {
    timer = undefined
    const events = waiting
    waiting = []
    last = last.then(async () => {
      const bytes = await gzipped(JSON.stringify(events))
      if (bytes.byteLength <= maxAssistBytes) send(bytes)
    })
  }
  const stop = record({
    emit(event) {
      waiting.push(event)
      timer ??= setTimeout(flush, everyMs)
    },
    maskAllInputs: true,
    recordCanvas: false,
    collectFonts: false,
    inlineImages: false,
    sampling: { mousemove: 100, scroll: 150 },
  })
  return {
    again: () => record.takeFullSnapshot(true),
    stop() {
      clearTimeout(timer)
      stop?.()
    },
  }
}

function gzipped(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(stream).arrayBuffer()
}
