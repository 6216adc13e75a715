/** A font, or the letters of one variation of it. */
interface Font {
  readonly characterSet: readonly number[]
  readonly availableFeatures: readonly string[]
  hasGlyphForCodePoint(code: number): boolean
  getVariation(axes: Record<string, number>): Font
  layout(text: string): { readonly positions: readonly { readonly xAdvance: number }[] }
}
export function openFont(file: string): Promise<Font>
