import { ArrowLeft, ListChecks } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { standingText as text } from '#web/text/checks.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import styles from './DriveScreen.module.css'
import type { Gps } from './usePosition.ts'
import { useShownFor } from './useShownFor.ts'
import { useStandstill } from './useStandstill.ts'

/** A car that stands this long is not at a hairpin or in traffic. */
const standingMs = 10_000

/** How long a tap shows the buttons. */
const shownMs = 5000

/**
 * Whether the glass shows the buttons of a standing car, which otherwise has none: for some seconds after a tap. `isFree`
 * is false while the driver has something to read there.
 */
export function useStandingTap(
  screen: RefObject<HTMLElement | null>,
  gps: Gps,
  isFree: boolean,
): boolean {
  const isStanding = useStandstill(gps, standingMs)
  const [isShown, show] = useShownFor(shownMs)
  const isOffered = isStanding && isFree
  const onTap = useEffectEvent((event: MouseEvent) => {
    const pressed = event.target instanceof Element && event.target.closest('button, [data-no-tap]')
    if (isOffered && !pressed) show()
  })
  useEffect(() => {
    const element = screen.current
    const tap = (event: MouseEvent) => onTap(event)
    element?.addEventListener('click', tap)
    return () => element?.removeEventListener('click', tap)
  }, [screen])
  return isOffered && isShown
}

interface Props {
  /** Whether each button is shown. */
  leave: boolean
  checks: boolean
  /** True while leaving may be confirmed, also after the button is gone. */
  mayLeave: boolean
  onChecks: () => void
}

/** Leave, which does not end the session and which installed apps have no browser controls for, and Checks. */
export function StandingButtons({ leave, checks, mayLeave, onChecks }: Props) {
  const navigate = useNavigate()
  const { teamId = '' } = useParams()
  const [isConfirming, setConfirming] = useState(false)
  if (isConfirming && !mayLeave) setConfirming(false)
  return (
    <>
      {leave && (
        <button
          type="button"
          className={`${styles.corner} ${styles.leave}`}
          data-leave=""
          onClick={() => setConfirming(true)}
        >
          <ArrowLeft size={20} aria-hidden />
          {text.leave}
        </button>
      )}
      {checks && (
        <button type="button" className={styles.checks} onClick={onChecks}>
          <span>
            <ListChecks size={20} aria-hidden />
            {text.checks}
          </span>
        </button>
      )}
      {isConfirming && (
        <ConfirmDialog
          open
          title={text.leaveTitle}
          text={text.leaveText}
          cancelLabel={text.keepDriving}
          confirmLabel={text.leave}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void navigate(`/teams/${teamId}`)}
        />
      )}
    </>
  )
}
