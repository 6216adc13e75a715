/** Safe HTML. Only `html` creates it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Builds HTML from a template. Interpolated strings are escaped, for text and for quoted attributes alike.
 */
export function html(template: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const parts = template.map((part, index) => part + asHtml(values[index] ?? ''))
  return new Html(parts.join(''))
}

function asHtml(value: string | Html | Html[]): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(part => part.text).join('')
  return escaped(value)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}
