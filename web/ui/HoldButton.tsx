import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { Button } from './Button.tsx'

/** A stray press is shorter. */
const holdMs = 1500

interface Props {
  busy: boolean
  onHold: () => void
  children: string
}

/**
 * A button that acts once it was held for 1.5 s, by a finger or the space bar. A press that comes from no pointer and no
 * key, as of assistive technology, acts at once: it cannot hold.
 */
export function HoldButton({ busy, onHold, children }: Props) {
  const [isHeld, setHeld] = useState(false)
  const act = useEffectEvent(() => {
    setHeld(false)
    onHold()
  })
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(act, holdMs)
    return () => clearTimeout(timer)
  }, [isHeld])
  const release = () => setHeld(false)
  const press = (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === ' ' && !event.repeat && !busy) setHeld(true)
  }
  return (
    <Button
      variant="danger"
      busy={busy}
      data-held={isHeld || undefined}
      onPointerDown={event => {
        // A finger that slides off lets go: touch would go on to send its events here.
        event.currentTarget.releasePointerCapture(event.pointerId)
        setHeld(event.isPrimary && event.button === 0 && !busy)
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={event => event.preventDefault()}
      onKeyDown={press}
      onKeyUp={event => {
        if (event.key !== ' ') return
        event.preventDefault()
        release()
      }}
      onBlur={release}
      onClick={event => {
        if (event.detail === 0) onHold()
      }}
    >
      {children}
    </Button>
  )
}
