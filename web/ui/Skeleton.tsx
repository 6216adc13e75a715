import styles from './Skeleton.module.css'

interface Props {
  widthPx: number
  heightPx: number
}

/** A block with the size of what will replace it. It shows after 150 ms only. */
export function Skeleton({ widthPx, heightPx }: Props) {
  return <span className={styles.block} style={{ width: widthPx, height: heightPx }} aria-hidden />
}

interface RowsProps {
  /** Says what is loading to those who cannot see it. */
  label: string
  /** How wide the second line of the first row is; none for rows of one line. */
  detailPx?: number
  /** Rows of a table with figures at the right end. */
  figures?: boolean
}

/** Four rows that wait. */
export function SkeletonRows({ label, detailPx, figures = false }: RowsProps) {
  return (
    <output className={styles.rows} data-table={figures || undefined} aria-busy aria-label={label}>
      {rowShares.map(share => (
        <span className={styles.row} key={share}>
          <Skeleton widthPx={52} heightPx={40} />
          <span className={styles.text}>
            <Skeleton widthPx={(figures ? 160 : 190) * share} heightPx={18} />
            {detailPx !== undefined && <Skeleton widthPx={detailPx * share} heightPx={14} />}
          </span>
          {figures && <Skeleton widthPx={64} heightPx={26} />}
        </span>
      ))}
    </output>
  )
}

/** Names differ in length. */
const rowShares = [0.9, 0.7, 1, 0.8]
