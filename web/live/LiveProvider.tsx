import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { Channel } from '#client/channel.ts'
import type { TextStore } from '#client/textStore.ts'
import type { Clock } from '#contract/clock.ts'
import { browserSignals } from './pageSignals.ts'

const ChannelContext = createContext<Channel | null>(null)

interface LiveProviderProps {
  /** Who is signed in: another person gets another connection. */
  userId: string
  /** The server says that the login ended. */
  onSignedOut: () => void
  /** How far the server's clock is ahead of this device's: as was known before, and as is known now. In milliseconds. */
  clockOffset: { kept: () => number; keep: (offsetMs: number) => void }
  clock: Clock
  store: TextStore
  children: ReactNode
}

/** Keeps one live connection up for everything below it. */
export function LiveProvider(props: LiveProviderProps) {
  return <LineOf key={props.userId} {...props} />
}

function LineOf({ userId, onSignedOut, clockOffset, clock, store, children }: LiveProviderProps) {
  const signedOut = useEffectEvent(onSignedOut)
  const keepOffset = useEffectEvent(clockOffset.keep)
  const [channel] = useState(
    () =>
      new Channel({
        url: liveUrl(),
        WebSocket,
        page: browserSignals,
        userId,
        store,
        clock,
        random: Math.random,
        report: problem => reportError(new Error(problem)),
        clockOffsetMs: clockOffset.kept(),
      }),
  )
  useEffect(() => {
    const undo = channel.onSignedOut(() => signedOut())
    const undoClock = channel.onConnectionState(() => {
      if (channel.connectionState === 'open') keepOffset(channel.clock.offsetMs)
    })
    channel.start()
    return () => {
      channel.stop()
      undo()
      undoClock()
    }
  }, [channel])
  return <ChannelContext value={channel}>{children}</ChannelContext>
}

function liveUrl(): string {
  const url = new URL('/live', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** The live channel. Only below a `LiveProvider`. */
export function useChannel(): Channel {
  const channel = useContext(ChannelContext)
  if (!channel) throw new Error('useChannel needs a LiveProvider above it.')
  return channel
}
