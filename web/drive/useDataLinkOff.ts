import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'

/** True while the data link of this session is off; also after a reload without a network. */
export function useDataLinkOff(sessionId: string): boolean {
  const channel = useChannel()
  const dataLink = useLiveSession(sessionId, ({ session }) => session?.dataLink ?? null)
  return dataLink === null ? channel.isDataLinkOff : !dataLink
}
