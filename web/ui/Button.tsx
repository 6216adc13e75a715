import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, MouseEvent } from 'react'
import styles from './Button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Ink-filled for the one thing to do here, quiet for the rest, danger for what ends something. */
  look?: 'primary' | 'quiet' | 'danger'
  /** Something runs: a spinner stands before the label, and a second press does nothing. */
  busy?: boolean
  /** As wide as its label instead of its column. */
  narrow?: boolean
}

/** A 56 px button. While it is busy it keeps focus, label and width. */
export function Button({
  look = 'primary',
  busy = false,
  narrow = false,
  type = 'button',
  disabled = false,
  onClick,
  children,
  ...rest
}: Props) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      className={styles.button}
      data-look={look}
      data-narrow={narrow || undefined}
      disabled={disabled && !busy}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={press}
    >
      {busy && <LoaderCircle className={styles.spinner} size={22} aria-hidden />}
      {children}
    </button>
  )
}
