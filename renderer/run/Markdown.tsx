import type { Nodes, Root, TableRow } from 'mdast';
import { Fragment, type ReactNode } from 'react';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { OutLink } from './OutLink.js';

/**
 * Markdown as the application draws it: from the parts of the text, one by one. Markup of pages is text here, pictures
 * are the words that name them, nothing is loaded, nothing of the text is left out, and no part can look like ours.
 */
export function Markdown({ tree, source }: { tree: Root; source: string }) {
  return <div className="markdown">{inner(tree.children, source)}</div>;
}

function inner(nodes: readonly Nodes[], source: string): ReactNode {
  return nodes.map((node, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
    <Fragment key={i}>{part(node, source)}</Fragment>
  ));
}

function part(node: Nodes, source: string): ReactNode {
  switch (node.type) {
    case 'text':
      return <Marked text={node.value} reveal />;
    case 'paragraph':
      return <p>{inner(node.children, source)}</p>;
    case 'heading':
      // No heading of ours: what others wrote does not outline this page.
      return <p className={`md-heading h${node.depth}`}>{inner(node.children, source)}</p>;
    case 'emphasis':
      return <em>{inner(node.children, source)}</em>;
    case 'strong':
      return <strong>{inner(node.children, source)}</strong>;
    case 'delete':
      return <s>{inner(node.children, source)}</s>;
    case 'inlineCode':
      return (
        <code>
          <Marked text={node.value} reveal />
        </code>
      );
    case 'code':
      return (
        <pre>
          {(node.lang || node.meta) && (
            <span className="faint">
              <Marked text={[node.lang, node.meta].filter(Boolean).join(' ')} line />
              {'\n'}
            </span>
          )}
          <code>
            <Marked text={node.value} reveal />
          </code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{inner(node.children, source)}</blockquote>;
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{inner(node.children, source)}</ol>
      ) : (
        <ul>{inner(node.children, source)}</ul>
      );
    case 'listItem':
      return (
        <li>
          {node.checked === true && '☑ '}
          {node.checked === false && '☐ '}
          {inner(node.children, source)}
        </li>
      );
    case 'link':
      return (
        <OutLink url={node.url} title={node.title ?? null}>
          {inner(node.children, source)}
        </OutLink>
      );
    case 'image':
      return (
        <span className="md-picture">
          {words.markdown.picture} <Marked text={[node.alt, node.title].filter(Boolean).join(' · ')} line />{' '}
          <OutLink url={node.url} title={null} />
        </span>
      );
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'table':
      return <Table rows={node.children} source={source} />;
    default:
      // Markup of pages, references, notes and whatever comes: as it is written.
      return <Marked text={written(node, source)} reveal />;
  }
}

function Table({ rows, source }: { rows: readonly TableRow[]; source: string }) {
  const [head, ...body] = rows;
  const cells = (row: TableRow, Cell: 'th' | 'td'): ReactNode =>
    // biome-ignore lint/suspicious/noArrayIndexKey: cells of one text never move
    row.children.map((cell, i) => <Cell key={i}>{inner(cell.children, source)}</Cell>);
  return (
    <div className="md-table">
      <table>
        {head && (
          <thead>
            <tr>{cells(head, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {body.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text never move
            <tr key={i}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function written({ position }: Nodes, source: string): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}
