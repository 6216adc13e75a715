import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { textIn } from '#racing/formats/textIn.ts'
import { recordedBlocks } from '#racing/timing/recordedFeed.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { timingText } from '#web/text/timing.ts'
import { playable, playRecording } from './playRecording.ts'
import { timingQuery } from './timingQuery.ts'

/** A recorded file that this page plays into a race. */
export interface Recording {
  /** How much has been sent, from 0 to 1; null while none is played. */
  readonly progress: number | null
  /** Why the last one was not played to its end. */
  readonly error: string | null
  play(file: File, speed: number): Promise<void>
  stop(): void
}

/** Plays recorded files into a race as long as the page is open. */
export function useRecording(raceId: string): Recording {
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  /** Returns why there is nothing to play; null once all is sent. */
  async function send(file: File, speed: number, signal: AbortSignal) {
    const blocks = playable(recordedBlocks(textIn(new Uint8Array(await file.arrayBuffer()))))
    if (blocks.length === 0) return timingText.fileEmpty
    const id = crypto.randomUUID()
    const source = { kind: 'recorded' as const, id, speed }
    const timing = await command('timing.setSource', { raceId, source }, { signal })
    client.setQueryData(timingQuery(raceId).queryKey, timing)
    await playRecording(blocks, speed, {
      send: (number, lines) =>
        command('timing.push', { raceId, number, lines: [...lines], recordedId: id }, { signal }),
      wait: ms => waited(ms, signal),
      now: () => Date.now(),
      onProgress: setProgress,
    })
    return null
  }

  return {
    progress,
    error,
    async play(file, speed) {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setError(null)
      setProgress(0)
      try {
        setError(await send(file, speed, controller.signal))
      } catch (reason) {
        if (!controller.signal.aborted) setError(refusalText(reason))
      }
      if (running.current === controller) setProgress(null)
    },
    stop() {
      running.current?.abort()
    },
  }
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
