/** Text that is HTML already: the only thing that the template below does not escape. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may stand in a template; nothing is printed of null, undefined and false. */
export type Content = Markup | string | number | null | undefined | false | Content[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Titles, commands and outputs come from a file that anybody may have written: escaped unless made by a template. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(printed)));
}

export function escapeText(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** A figure as the cell functions print it; what could not be computed is a dash, as what was not measured is. */
export function figure(text: string): string {
  return /NaN|Infinity/.test(text) ? '-' : text;
}

/** One line of so many characters at most, without those that XML does not know. */
export function shortened(text: string, most = 40): string {
  const characters = [...text.toWellFormed().replace(/[\s\p{Cc}\uFFFE\uFFFF]+/gu, ' ')];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

function printed(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(printed).join('');
  if (value === null || value === undefined || value === false) return '';
  return typeof value === 'number' ? figure(String(value)) : escapeText(value);
}
