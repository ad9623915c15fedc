package main

import (
	"math/rand/v2"

	"github.com/born-ml/born/autodiff"
	"github.com/born-ml/born/nn"
	"github.com/born-ml/born/optim"
	"github.com/born-ml/born/tensor"
)

// A size says how large the network and its graph are.
type size struct {
	nodes, arcs   int
	neighbours    int // of a node, that training looks at
	width, layers int
	classes       int
}

// A dataset is a graph whose nodes are of a class each, and where most arcs join two of one class.
type dataset struct {
	size
	from, to   []int32 // [arcs]
	near       []int32 // [nodes, neighbours]: some of those whose arcs lead to a node
	class      []int32 // [nodes]
	known      []int32 // the nodes whose class is known when training, one in ten
	knownClass []int32
}

func newDataset(s size) *dataset {
	random := rand.New(rand.NewPCG(1, 2))
	d := &dataset{size: s}
	for range s.nodes {
		d.class = append(d.class, int32(random.IntN(s.classes)))
	}
	members := make([][]int32, s.classes)
	for i, c := range d.class {
		members[c] = append(members[c], int32(i))
		if i%10 == 0 {
			d.known, d.knownClass = append(d.known, int32(i)), append(d.knownClass, c)
		}
	}
	// pick returns a neighbour of i, which is of i's class four times in five. Some
	// nodes have many more arcs than others, as in the graphs of life.
	pick := func(i int32) int32 {
		x := random.Float64()
		if random.IntN(5) > 0 {
			same := members[d.class[i]]
			return same[int(x*x*float64(len(same)))]
		}
		return int32(x * x * float64(s.nodes))
	}
	for range s.arcs {
		to := int32(random.IntN(s.nodes))
		d.from, d.to = append(d.from, pick(to)), append(d.to, to)
	}
	for i := range s.nodes {
		for range s.neighbours {
			d.near = append(d.near, pick(int32(i)))
		}
	}
	return d
}

// engine is a backend with born's tape, which records what training needs.
type engine[B tensor.Backend] = *autodiff.Backend[B]

// A network is a graph network for any backend: it tells what class each node is of.
//
// A layer joins a node's row with the sum or mean of its neighbours' rows, and puts it through
// a gated linear unit:
//
//	a, b = split([x, aggregate(x)] W + c)
//	x = x + a σ(b)
type network[B tensor.Backend] struct {
	backend    engine[B]
	nodes      *nn.Embedding[engine[B]]
	layers     []*nn.Linear[engine[B]]
	out        *nn.Linear[engine[B]]
	loss       *nn.CrossEntropyLoss[engine[B]]
	optimizer  optim.Optimizer
	data       *dataset
	everyone   *tensor.Tensor[int32, engine[B]]   // [nodes]
	near       *tensor.Tensor[int32, engine[B]]   // [nodes, neighbours]
	from, to   *tensor.Tensor[int32, engine[B]]   // [arcs]
	share      *tensor.Tensor[float32, engine[B]] // [nodes, 1]: one over the arcs that lead to a node
	class      *tensor.Tensor[int32, engine[B]]   // [nodes, 1]
	known      *tensor.Tensor[int32, engine[B]]
	knownClass *tensor.Tensor[int32, engine[B]]
}

// newNetwork builds a network with the weights that every other of this size has.
func newNetwork[B tensor.Backend](inner B, d *dataset) *network[B] {
	b := autodiff.New(inner)
	nn.SetSeed(1)
	n := &network[B]{
		backend: b,
		nodes:   nn.NewEmbedding(d.nodes, d.width, b),
		out:     nn.NewLinear(d.width, d.classes, b),
		loss:    nn.NewCrossEntropyLoss(b),
		data:    d,
	}
	for range d.layers {
		n.layers = append(n.layers, nn.NewLinear(2*d.width, 2*d.width, b))
	}
	n.optimizer = optim.NewAdam(n.parameters(), optim.AdamConfig{LR: 0.02}, b)
	ids := make([]int32, d.nodes)
	arcs := make([]float32, d.nodes)
	for i := range ids {
		ids[i] = int32(i)
	}
	for _, i := range d.to {
		arcs[i]++
	}
	share := make([]float32, d.nodes)
	for i, k := range arcs {
		share[i] = 1 / max(k, 1)
	}
	n.everyone = n.indices(ids, d.nodes)
	n.near = n.indices(d.near, d.nodes, d.neighbours)
	n.from, n.to = n.indices(d.from, d.arcs), n.indices(d.to, d.arcs)
	n.class = n.indices(d.class, d.nodes, 1)
	n.known, n.knownClass = n.indices(d.known, len(d.known)), n.indices(d.knownClass, len(d.known))
	n.share = must(tensor.FromSlice(share, tensor.Shape{d.nodes, 1}, b))
	return n
}

func (n *network[B]) indices(values []int32, shape ...int) *tensor.Tensor[int32, engine[B]] {
	return must(tensor.FromSlice(values, shape, n.backend))
}

func (n *network[B]) parameters() []*nn.Parameter[engine[B]] {
	p := append(n.nodes.Parameters(), n.out.Parameters()...)
	for _, l := range n.layers {
		p = append(p, l.Parameters()...)
	}
	return p
}

type rows[B tensor.Backend] = *tensor.Tensor[float32, engine[B]]

// logits is the network's forward pass: [nodes, classes].
func (n *network[B]) logits(aggregate func(rows[B]) rows[B]) rows[B] {
	x := n.nodes.Forward(n.everyone)
	for _, l := range n.layers {
		joined := tensor.Cat([]rows[B]{x, aggregate(x)}, 1)
		parts := l.Forward(joined).Chunk(2, 1)
		x = x.Add(parts[0].Mul(nn.SigmoidFunc(parts[1])))
	}
	return n.out.Forward(x)
}

// overArcs is the mean over all arcs that lead to a node: a gather of rows and a
// scatter-add of them. born has no gradient of the latter.
func (n *network[B]) overArcs(x rows[B]) rows[B] {
	messages := x.Embedding(n.from)
	zeros := tensor.Zeros[float32](x.Shape(), n.backend)
	sums := n.backend.SelectAdd(zeros.Raw(), 0, n.to.Raw(), messages.Raw())
	return tensor.New[float32](sums, n.backend).Mul(n.share)
}

// overSome is the mean over the same number of neighbours of each node: a gather of rows, whose
// gradient is a scatter-add.
func (n *network[B]) overSome(x rows[B]) rows[B] {
	return x.Embedding(n.near).MeanDim(1, false)
}

// infer returns how sure the network is of each node's class, [nodes, 1], and what it takes
// the nodes of each class for, [classes, classes]: the sums of the nodes' probabilities.
func (n *network[B]) infer() (sure, taken rows[B]) {
	s := n.data
	probabilities := n.logits(n.overArcs).Softmax(1)
	sure = probabilities.Gather(1, n.class)
	groups := n.class.Expand(tensor.Shape{s.nodes, s.classes})
	zeros := tensor.Zeros[float32](tensor.Shape{s.classes, s.classes}, n.backend)
	sums := n.backend.ScatterAdd(zeros.Raw(), 0, groups.Raw(), probabilities.Raw())
	return sure, tensor.New[float32](sums, n.backend)
}

// train takes so many steps and returns the loss before each.
func (n *network[B]) train(steps int) (losses []float32) {
	tape := n.backend.Tape()
	for range steps {
		tape.StartRecording()
		loss := n.loss.Forward(n.logits(n.overSome).Embedding(n.known), n.knownClass)
		gradients := autodiff.Backward(loss, n.backend)
		tape.StopRecording()
		tape.Clear()
		n.optimizer.Step(gradients)
		losses = append(losses, loss.Data()[0])
	}
	return losses
}

// state returns all weights.
func (n *network[B]) state() (weights [][]byte) {
	for _, p := range n.parameters() {
		weights = append(weights, p.Tensor().Raw().Data())
	}
	return weights
}

// right is the share of its nodes that a network takes for what they are.
func (n *network[B]) right() float64 {
	_, taken := n.infer()
	sum := float32(0)
	for c := range n.data.classes {
		sum += taken.At(c, c)
	}
	return float64(sum) / float64(n.data.nodes)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
