import styles from './Skeleton.module.css'

/** A placeholder with the size of the content to come, shown after 150 ms. */
export function Skeleton({ widthPx, heightPx }: { widthPx: number; heightPx: number }) {
  return <span className={styles.block} style={{ width: widthPx, height: heightPx }} aria-hidden />
}

interface RowsProps {
  /** Accessible name of what is loading. */
  label: string
  /** Width of the second line in the first row; omit for single-line rows. */
  detailPx?: number
  /** Rows of a table with figures at the right end. */
  figures?: boolean
  /** At most four. */
  count?: number
}

/** Placeholder rows. */
export function SkeletonRows({
  label,
  detailPx,
  figures = false,
  count = rowShares.length,
}: RowsProps) {
  return (
    <output className={styles.rows} data-table={figures || undefined} aria-busy aria-label={label}>
      {rowShares.slice(0, count).map(share => (
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

/** Varying widths, like those of names. */
const rowShares = [0.9, 0.7, 1, 0.8]
