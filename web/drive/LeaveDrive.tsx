import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { preflightText } from '#web/text/preflight.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import styles from './DriveScreen.module.css'

/**
 * The Leave button of the drive screen, for installed apps without browser controls. It does not end
 * the session.
 */
export function LeaveDrive() {
  const navigate = useNavigate()
  const { teamId = '' } = useParams()
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`${styles.corner} ${styles.leave}`}
        onClick={() => setConfirming(true)}
      >
        <ArrowLeft size={20} aria-hidden />
        {preflightText.leave}
      </button>
      {confirming && (
        <ConfirmDialog
          open
          title={preflightText.leaveTitle}
          text={preflightText.leaveText}
          cancelLabel={preflightText.keepDriving}
          confirmLabel={preflightText.leave}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void navigate(`/teams/${teamId}`)}
        />
      )}
    </>
  )
}
