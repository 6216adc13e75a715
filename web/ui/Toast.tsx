import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Toast.module.css'
import type { ToastKind } from './toasts.ts'

interface Props {
  kind: ToastKind
  title: string
  message: ReactNode
  closeLabel: string
  onClose: () => void
}

/** A notice that floats over the page. Its live region announces it to screen readers. */
export function Toast({ kind, title, message, closeLabel, onClose }: Props) {
  const Icon = icons[kind]
  return (
    <div className={styles.toast} data-kind={kind}>
      <Icon aria-hidden />
      <div>
        <b>{title}</b>
        <p>{message}</p>
      </div>
      <button type="button" aria-label={closeLabel} onClick={onClose}>
        <X aria-hidden />
      </button>
    </div>
  )
}

const icons = { success: CircleCheck, error: CircleAlert } as const
