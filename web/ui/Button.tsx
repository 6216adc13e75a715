import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, MouseEvent } from 'react'
import styles from './Button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /**
   * `primary` for the main action, `danger` for an action that ends something, `quiet` for the rest.
   */
  variant?: 'primary' | 'quiet' | 'danger'
  /** Shows a spinner before the label and ignores presses while a request is pending. */
  busy?: boolean
  /** As wide as its label instead of its column. */
  narrow?: boolean
}

/** A 56 px button. While busy it keeps focus, label and width. */
export function Button({
  variant = 'primary',
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
      data-look={variant}
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
