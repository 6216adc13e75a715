import { record } from '@rrweb/record'
import { maxAssistBytes } from '#support/contract/supportRules.ts'

/** Changes of the page are sent in batches at this interval. */
const batchIntervalMs = 150

/** A recorder of this page, running while an agent may see it. */
export interface View {
  /** Sends a full snapshot, for an agent who has just joined. */
  sendSnapshot(): void
  stop(): void
}

/**
 * Records the page. `send` receives gzipped JSON lists of rrweb events, in order; the contents of
 * fields and private texts are masked.
 */
export function viewPage(send: (events: ArrayBuffer) => void): View {
  let pending: unknown[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Promise.resolve()

  function flush() {
    timer = undefined
    const events = pending
    pending = []
    last = last.then(async () => {
      const bytes = await gzipped(JSON.stringify(events))
      if (bytes.byteLength <= maxAssistBytes) send(bytes)
    })
  }
  const stop = record({
    emit(event) {
      pending.push(event)
      timer ??= setTimeout(flush, batchIntervalMs)
    },
    maskAllInputs: true,
    maskTextSelector: '[data-private]',
    recordCanvas: false,
    collectFonts: false,
    inlineImages: false,
    sampling: { mousemove: 100, scroll: 150 },
  })
  return {
    sendSnapshot: () => record.takeFullSnapshot(true),
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
