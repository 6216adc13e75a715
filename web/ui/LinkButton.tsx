import { Link, type LinkProps } from 'react-router'
import styles from './Button.module.css'

interface Props extends LinkProps {
  variant?: 'primary' | 'quiet'
  /** As wide as its label instead of its column. */
  narrow?: boolean
}

/** A link that looks like a button: it only navigates. */
export function LinkButton({ variant = 'primary', narrow = false, ...rest }: Props) {
  return (
    <Link
      {...rest}
      className={styles.button}
      data-look={variant}
      data-narrow={narrow || undefined}
    />
  )
}
