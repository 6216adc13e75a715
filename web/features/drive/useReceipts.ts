import { useEffect, useState } from 'react'
import type { Message, ReceiptStage } from '#contract/messages.ts'
import { afterPaint } from '#web/device/painted.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

interface Copying {
  /** The driver acknowledged the message that is up. */
  readonly copied: boolean
  /** Acknowledges it. A second time does nothing. */
  readonly copy: () => void
}

/** Tells the team how far each message came: it reached the phone, was painted, was acknowledged. */
export function useReceipts(sessionId: string, message: Message | null): Copying {
  const channel = useChannel()
  const [copiedVersion, setCopiedVersion] = useState(0)
  const version = message?.version ?? 0
  const isReached = (message?.reachedAt ?? null) !== null
  const isShown = (message?.shownAt ?? null) !== null
  const copied = copiedVersion === version || (message?.copiedAt ?? null) !== null

  useEffect(() => {
    if (version === 0) return
    const say = (stage: ReceiptStage) =>
      channel.sendReceipt({ sessionId, version, stage, at: channel.clock.now() })
    if (!isReached) say('reached')
    if (!isShown) return afterPaint(() => say('shown'))
  }, [channel, sessionId, version, isReached, isShown])

  function copy() {
    if (!message || message.type === null || copied) return
    setCopiedVersion(version)
    channel.sendReceipt({ sessionId, version, stage: 'copied', at: channel.clock.now() })
  }
  return { copied: version > 0 && copied, copy }
}
