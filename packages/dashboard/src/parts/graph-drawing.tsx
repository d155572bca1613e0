import type { TaskGraph } from '@waybill/client';
import { shortened } from '@waybill/client/words';
import { drawingOf, NODE } from '../graph/drawing.js';
import { type GraphNode, linkTo, nameOf, stateOf, toneOf } from '../graph/words.js';

const TITLE_CHARACTERS = 23;

/** The graph as a picture. Each node is a link that Tab reaches, in the order of the levels. */
export function GraphDrawing({ graph }: { graph: TaskGraph }) {
  const { width, height, nodes, edges } = drawingOf(graph);
  const blame = new Set(graph.cause);
  const blames = new Set(graph.cause.slice(1).map((id, at) => `${id} ${graph.cause[at]}`));
  return (
    <svg class="graph" role="group" aria-label="Graph" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      {edges.map(({ edge: { from, to, closed }, path }) => (
        <path key={`${from} ${to}`} class={edgeClass(closed, blames.has(`${from} ${to}`))} d={path} />
      ))}
      {nodes.map(({ node, x, y }) => (
        <g key={node.id} transform={`translate(${x} ${y})`}>
          <Node node={node} isCause={blame.has(node.id)} />
        </g>
      ))}
    </svg>
  );
}

const edgeClass = (closed: boolean, isCause: boolean): string =>
  `edge${closed ? ' closed' : ''}${isCause ? ' cause' : ''}`;

function Node({ node, isCause }: { node: GraphNode; isCause: boolean }) {
  const link = linkTo(node);
  const box = <Box node={node} isCause={isCause} />;
  return link === undefined ? box : <a href={link}>{box}</a>;
}

/** The colour is in the bar and the border; the state is told in words as well. */
const Box = ({ node, isCause }: { node: GraphNode; isCause: boolean }) => (
  <g class={`node ${node.kind} ${toneOf(node)}${isCause ? ' cause' : ''}`}>
    <title>{`${nameOf(node)}: ${stateOf(node)}${node.queue === null ? '' : `, in queue ${node.queue}`}`}</title>
    {node.kind === 'fold' ? <rect class="behind" x="4" y="4" width={NODE.width} height={NODE.height} rx="5" /> : null}
    <rect width={NODE.width} height={NODE.height} rx="5" />
    <rect class="bar" width="6" height={NODE.height} rx="3" />
    <text x="14" y="18">
      {shortened(nameOf(node), TITLE_CHARACTERS)}
    </text>
    <text class="words" x="14" y="35">
      {shortened(stateOf(node), TITLE_CHARACTERS)}
    </text>
  </g>
);
