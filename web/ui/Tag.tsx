import styles from './Tag.module.css'

/** A short word about what it stands beside, such as "Invited". */
export function Tag({ children }: { children: string }) {
  return <span className={styles.tag}>{children}</span>
}
