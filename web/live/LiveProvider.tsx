import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { Channel } from './channel.ts'
import { browserSignals } from './pageSignals.ts'

const ChannelContext = createContext<Channel | null>(null)

interface LiveProviderProps {
  /** Who is signed in: another person gets another line. */
  userId: string
  /** The server says that the login ended. */
  onSignedOut: () => void
  children: ReactNode
}

/** Keeps one live line up for everything below it. */
export function LiveProvider(props: LiveProviderProps) {
  return <LineOf key={props.userId} {...props} />
}

function LineOf({ onSignedOut, children }: LiveProviderProps) {
  const signedOut = useEffectEvent(onSignedOut)
  const [channel] = useState(
    () =>
      new Channel({
        url: liveUrl(),
        WebSocket,
        page: browserSignals,
        report: problem => reportError(new Error(problem)),
      }),
  )
  useEffect(() => {
    const undo = channel.onSignedOut(() => signedOut())
    channel.start()
    return () => {
      channel.stop()
      undo()
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
