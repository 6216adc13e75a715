import { useEffect, useMemo, useRef } from 'react'
import { lastKnown } from '#client/channel/sessionState.ts'
import { useSessionCircuit } from '#web/circuits/useSessionCircuit.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { lapsText } from '#web/text/laps.ts'
import styles from './LapPosition.module.css'
import { lapShareOn } from './lapShare.ts'

/**
 * How far the car is round its lap, as a bar that each fix moves. Empty without a position on the circuit, and nothing
 * while the circuit is not known.
 */
export function LapPosition({ sessionId }: { sessionId: string }) {
  const channel = useChannel()
  const meter = useRef<HTMLMeterElement>(null)
  const circuit = useSessionCircuit(sessionId)
  const shareAt = useMemo(() => (circuit ? lapShareOn(circuit) : null), [circuit])

  useEffect(() => {
    if (!shareAt) return
    const show = (latitude: number | null, longitude: number | null) => {
      const isKnown = latitude !== null && longitude !== null
      const share = (isKnown ? shareAt({ latitude, longitude }) : null) ?? 0
      if (!meter.current) return
      meter.current.value = share
      meter.current.parentElement?.style.setProperty('--lap-share', String(share))
    }
    const known = lastKnown(channel.session(sessionId))
    show(known.latitude, known.longitude)
    return channel.onFix(sessionId, fix => show(fix.la, fix.lo))
  }, [channel, sessionId, shareAt])

  if (!shareAt) return null
  return (
    <span className={styles.position}>
      <meter ref={meter} min={0} max={1} aria-label={lapsText.round} />
    </span>
  )
}
