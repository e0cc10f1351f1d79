//! Search by vector: what is found, in which order, and in which scope.

use evidence::{ClaimId, DomainCategory, Id, Node, Stance, TaskId};
use graph::{
    Access, Cause, Error, Graph, NewEmbedding, Options, VectorAnswer, VectorQuery, VectorSettings,
    VectorTarget, Writer,
};

use crate::support::{claim, fragment, graph, judge, options, page, task, write};

const MODEL: &str = "test-model";

/// Everything about claims, ten results.
fn about(vector: &[f32]) -> VectorQuery<'_> {
    VectorQuery {
        target: VectorTarget::Claims,
        model_id: MODEL,
        vector,
        task: None,
        top_k: 10,
        min_similarity: -1.0,
    }
}

fn embed(w: &Writer<'_>, target: Node, vector: &[f32]) {
    w.record_embedding(&NewEmbedding { target, model_id: MODEL, vector }).unwrap();
}

fn embedded_claim(w: &Writer<'_>, task: TaskId, text: &str, vector: &[f32]) -> ClaimId {
    let claim = claim(w, task, text);
    embed(w, Node::Claim(claim), vector);
    claim
}

/// `0.800 text` a line, then the count.
fn shown(answer: &VectorAnswer) -> String {
    let hits =
        answer.results.iter().map(|it| format!("{:.3} {}\n", it.similarity, it.text_preview));
    format!("{}{} searched", hits.collect::<String>(), answer.total_searched)
}

fn found(graph: &Graph, query: &VectorQuery<'_>) -> String {
    shown(&graph.vector_search(query).unwrap())
}

fn refused(graph: &Graph, query: &VectorQuery<'_>) -> String {
    graph.vector_search(query).unwrap_err().to_string()
}

fn random_vector(random: &mut fastrand::Rng, dimension: usize) -> Vec<f32> {
    (0..dimension).map(|_| random.f32() - 0.5).collect()
}

/// Three claims in two directions and one between.
fn three_claims(graph: &Graph) -> TaskId {
    write(graph, |w| {
        let task = task(w, "q");
        embedded_claim(w, task, "血糖値が下がる", &[1.0, 0.0]);
        embedded_claim(w, task, "blood sugar and weight fall", &[3.0, 4.0]);
        embedded_claim(w, task, "weight falls", &[0.0, 0.5]);
        Ok(task)
    })
}

#[test]
fn the_nearest_come_first_with_their_cosine_and_their_text() {
    let graph = graph();
    three_claims(&graph);
    insta::assert_snapshot!(found(&graph, &about(&[2.0, 0.0])), @r"
    1.000 血糖値が下がる
    0.600 blood sugar and weight fall
    0.000 weight falls
    3 searched
    ");
}

#[test]
fn exact_search_agrees_with_plain_arithmetic() {
    // 45 is not a multiple of any register's width.
    const DIMENSION: usize = 45;
    let graph = graph();
    let mut random = fastrand::Rng::with_seed(5);
    let rows: Vec<(ClaimId, Vec<f32>)> = write(&graph, |w| {
        let task = task(w, "q");
        let rows = (0..600).map(|at| {
            let vector = random_vector(&mut random, DIMENSION);
            (embedded_claim(w, task, &format!("claim {at}"), &vector), vector)
        });
        Ok(rows.collect())
    });
    let cosine = |a: &[f32], b: &[f32]| {
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    for _ in 0..20 {
        let query = random_vector(&mut random, DIMENSION);
        let mut expected: Vec<(f64, Node)> =
            rows.iter().map(|(id, row)| (cosine(&query, row), Node::Claim(*id))).collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0));
        let answer = graph.vector_search(&about(&query)).unwrap();
        assert_eq!(answer.results.len(), 10);
        for (hit, (similarity, id)) in answer.results.iter().zip(expected) {
            assert_eq!(hit.id, id);
            assert!((hit.similarity - similarity).abs() < 1e-12, "{hit:?} {similarity}");
        }
    }
}

#[test]
fn equally_near_claims_come_in_the_order_of_their_ids() {
    let graph = graph();
    let claims = write(&graph, |w| {
        let task = task(w, "q");
        let claims: Vec<ClaimId> = (0..20).map(|at| claim(w, task, &format!("c{at}"))).collect();
        // Embedded from the last to the first, and of different lengths.
        for (power, id) in (0..).zip(claims.iter().rev()) {
            embed(w, Node::Claim(*id), &[2_f32.powi(power); 2]);
        }
        Ok(claims)
    });
    let answer = graph.vector_search(&about(&[1.0, 1.0])).unwrap();
    let ids: Vec<Node> = answer.results.iter().map(|it| it.id).collect();
    assert_eq!(ids, claims.into_iter().take(10).map(Node::Claim).collect::<Vec<_>>());
}

#[test]
fn a_new_row_is_seen_by_the_next_search() {
    let graph = graph();
    let task = three_claims(&graph);
    found(&graph, &about(&[1.0, 1.0]));
    write(&graph, |w| Ok(embedded_claim(w, task, "both fall", &[1.0, 1.0])));
    insta::assert_snapshot!(found(&graph, &VectorQuery { top_k: 1, ..about(&[1.0, 1.0]) }), @r"
    1.000 both fall
    4 searched
    ");
}

#[test]
fn a_row_of_another_process_is_seen_by_a_reader() {
    let world = graph();
    let task = three_claims(&world);
    let reader = Graph::open(world.path().unwrap(), Access::Read, options()).unwrap();
    assert_eq!(reader.vector_search(&about(&[1.0, 0.0])).unwrap().total_searched, 3);
    write(&world, |w| Ok(embedded_claim(w, task, "new", &[1.0, 1.0])));
    assert_eq!(reader.vector_search(&about(&[1.0, 0.0])).unwrap().total_searched, 4);
}

#[test]
fn a_transaction_that_is_rolled_back_leaves_nothing_to_find() {
    let graph = graph();
    let task = three_claims(&graph);
    found(&graph, &about(&[1.0, 1.0]));
    let rolled_back = graph.write(Cause::new("test"), |w| {
        embedded_claim(w, task, "never said", &[1.0, 1.0]);
        Err::<(), _>(Error::Interrupted)
    });
    assert!(matches!(rolled_back, Err(Error::Interrupted)));
    assert_eq!(graph.vector_search(&about(&[1.0, 1.0])).unwrap().total_searched, 3);
    // The next row takes the number of the one that was undone.
    write(&graph, |w| Ok(embedded_claim(w, task, "said", &[1.0, -1.0])));
    insta::assert_snapshot!(found(&graph, &VectorQuery { top_k: 1, ..about(&[1.0, -1.0]) }), @r"
    1.000 said
    4 searched
    ");
}

#[test]
fn a_task_sees_its_own_claims_only() {
    let graph = graph();
    let first = three_claims(&graph);
    let second = write(&graph, |w| {
        let task = task(w, "another");
        embedded_claim(w, task, "sleep improves", &[0.8, 0.6]);
        Ok(task)
    });
    let of = |task| found(&graph, &VectorQuery { task: Some(task), ..about(&[1.0, 0.0]) });
    insta::assert_snapshot!(of(first), @r"
    1.000 血糖値が下がる
    0.600 blood sugar and weight fall
    0.000 weight falls
    3 searched
    ");
    insta::assert_snapshot!(of(second), @r"
    0.800 sleep improves
    1 searched
    ");
}

#[test]
fn a_task_sees_the_fragments_that_take_a_stance_on_its_claims() {
    let graph = graph();
    let (first, second) = write(&graph, |w| {
        let page = page(w, "who.int", "a", DomainCategory::Primary, None);
        let passage = |text: &str, vector: &[f32]| {
            let id = fragment(w, page, text);
            embed(w, Node::Fragment(id), vector);
            id
        };
        let shared = passage("試験では差がなかった", &[1.0, 0.0]);
        let own = passage("the trial found a difference", &[0.0, 1.0]);
        passage("nobody's passage", &[1.0, 1.0]);
        let (first, second) = (task(w, "first"), task(w, "second"));
        let claims = [claim(w, first, "it works"), claim(w, first, "it is safe")];
        // Two edges to one task: the passage still counts once.
        judge(w, shared, claims[0], Stance::Refutes, 0.9);
        judge(w, shared, claims[1], Stance::Supports, 0.9);
        judge(w, own, claims[0], Stance::Supports, 0.9);
        judge(w, shared, claim(w, second, "it works"), Stance::Neutral, 0.9);
        Ok((first, second))
    });
    let fragments = VectorQuery { target: VectorTarget::Fragments, ..about(&[1.0, 0.0]) };
    let of = |task| found(&graph, &VectorQuery { task, ..fragments.clone() });
    insta::assert_snapshot!(of(Some(first)), @r"
    1.000 試験では差がなかった
    0.000 the trial found a difference
    2 searched
    ");
    insta::assert_snapshot!(of(Some(second)), @r"
    1.000 試験では差がなかった
    1 searched
    ");
    insta::assert_snapshot!(of(None), @r"
    1.000 試験では差がなかった
    0.707 nobody's passage
    0.000 the trial found a difference
    3 searched
    ");
}

#[test]
fn results_below_the_least_similarity_are_left_out() {
    let graph = graph();
    let task = three_claims(&graph);
    let at_least = |min_similarity, task| {
        found(&graph, &VectorQuery { min_similarity, task, ..about(&[1.0, 0.0]) })
    };
    let expected = "1.000 血糖値が下がる\n0.600 blood sugar and weight fall\n3 searched";
    assert_eq!(at_least(0.59, None), expected);
    assert_eq!(at_least(0.59, Some(task)), expected);
    assert_eq!(at_least(1.0, None), "1.000 血糖値が下がる\n3 searched");
}

#[test]
fn a_preview_is_cut_between_characters() {
    let graph = graph();
    write(&graph, |w| {
        let task = task(w, "q");
        Ok(embedded_claim(w, task, &"糖".repeat(300), &[1.0]))
    });
    let answer = graph.vector_search(&about(&[1.0])).unwrap();
    assert_eq!(answer.results[0].text_preview, "糖".repeat(200));
}

#[test]
fn the_number_of_results_has_bounds() {
    let graph = graph();
    write(&graph, |w| {
        let task = task(w, "q");
        for at in 0..60_u8 {
            embedded_claim(w, task, &format!("claim {at}"), &[1.0, f32::from(at)]);
        }
        Ok(())
    });
    let ask = |top_k| VectorQuery { top_k, ..about(&[1.0, 0.0]) };
    assert_eq!(refused(&graph, &ask(0)), "top_k is not between 1 and 50");
    assert_eq!(refused(&graph, &ask(51)), "top_k is not between 1 and 50");
    assert_eq!(graph.vector_search(&ask(1)).unwrap().results.len(), 1);
    assert_eq!(graph.vector_search(&ask(50)).unwrap().results.len(), 50);
}

#[test]
fn queries_that_cannot_be_answered_are_refused_in_words() {
    let graph = graph();
    let task = three_claims(&graph);
    let not_numbers = "the query vector is empty or holds numbers that are not finite";
    assert_eq!(refused(&graph, &about(&[f32::NAN, 1.0])), not_numbers);
    assert_eq!(refused(&graph, &about(&[f32::INFINITY, 1.0])), not_numbers);
    assert_eq!(refused(&graph, &about(&[])), not_numbers);
    assert_eq!(
        refused(&graph, &about(&vec![1.0; 131_073])),
        "the query vector has more than 131072 numbers"
    );
    let other_length =
        "the query vector has 3 numbers, but the vectors of model `test-model` have 2";
    assert_eq!(refused(&graph, &about(&[1.0; 3])), other_length);
    let of_task = VectorQuery { task: Some(task), ..about(&[1.0; 3]) };
    assert_eq!(refused(&graph, &of_task), other_length);
    let least = |min_similarity| VectorQuery { min_similarity, ..about(&[1.0, 0.0]) };
    let out_of_range = "the least similarity is not between -1 and 1";
    assert_eq!(refused(&graph, &least(1.1)), out_of_range);
    assert_eq!(refused(&graph, &least(f64::NAN)), out_of_range);
    let nowhere = TaskId::from_parts(1, 1);
    let of_nobody = VectorQuery { task: Some(nowhere), ..about(&[1.0, 0.0]) };
    assert_eq!(refused(&graph, &of_nobody), format!("no task {nowhere}"));
}

#[test]
fn vectors_of_two_lengths_under_one_model_are_reported() {
    let graph = graph();
    let task = three_claims(&graph);
    write(&graph, |w| Ok(embedded_claim(w, task, "odd one", &[1.0, 0.0, 0.0])));
    let problem =
        "the model `test-model` has vectors of different or impossible lengths (2 and 3 numbers)";
    assert_eq!(refused(&graph, &about(&[1.0, 0.0])), problem);
    assert_eq!(refused(&graph, &about(&[1.0, 0.0])), problem, "also when asked again");
}

#[test]
fn a_model_without_vectors_has_no_results() {
    let graph = graph();
    let task = three_claims(&graph);
    for task in [None, Some(task)] {
        let query = VectorQuery { model_id: "unknown", task, ..about(&[1.0, 2.0, 3.0]) };
        assert_eq!(found(&graph, &query), "0 searched");
    }
    let fragments = VectorQuery { target: VectorTarget::Fragments, ..about(&[1.0, 0.0]) };
    assert_eq!(found(&graph, &fragments), "0 searched");
}

#[test]
fn vectors_without_direction_are_similar_to_nothing() {
    let graph = graph();
    let task = three_claims(&graph);
    write(&graph, |w| Ok(embedded_claim(w, task, "no direction", &[0.0, 0.0])));
    insta::assert_snapshot!(found(&graph, &about(&[-1.0, 0.0])), @r"
    0.000 weight falls
    0.000 no direction
    -0.600 blood sugar and weight fall
    -1.000 血糖値が下がる
    4 searched
    ");
    insta::assert_snapshot!(found(&graph, &VectorQuery { top_k: 2, ..about(&[0.0, 0.0]) }), @r"
    0.000 血糖値が下がる
    0.000 blood sugar and weight fall
    4 searched
    ");
}

#[test]
fn two_models_stand_side_by_side() {
    let graph = graph();
    write(&graph, |w| {
        let id = embedded_claim(w, task(w, "q"), "one claim", &[1.0, 0.0]);
        w.record_embedding(&NewEmbedding {
            target: Node::Claim(id),
            model_id: "other-model",
            vector: &[0.0, 3.0, 4.0],
        })
    });
    assert_eq!(found(&graph, &about(&[1.0, 0.0])), "1.000 one claim\n1 searched");
    let other = VectorQuery { model_id: "other-model", ..about(&[0.0, 0.0, 1.0]) };
    assert_eq!(found(&graph, &other), "0.800 one claim\n1 searched");
}

#[test]
fn a_graph_in_memory_searches_as_one_in_a_file() {
    let graph = Graph::in_memory(options()).unwrap();
    three_claims(&graph);
    assert_eq!(
        found(&graph, &about(&[1.0, 0.0])),
        "1.000 血糖値が下がる\n0.600 blood sugar and weight fall\n0.000 weight falls\n3 searched"
    );
}

#[test]
fn threads_and_their_number_do_not_change_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    let open = |scan_threads, access| {
        // Few enough rows a thread that a small test has several.
        let vectors = VectorSettings { scan_threads, rows_per_thread: 100, ..Default::default() };
        Graph::open(&dir.path().join("lyra.db"), access, Options { vectors, ..options() }).unwrap()
    };
    let graph = open(1, Access::Write);
    let mut random = fastrand::Rng::with_seed(3);
    write(&graph, |w| {
        let task = task(w, "q");
        for at in 0..500 {
            let vector = random_vector(&mut random, 64);
            embedded_claim(w, task, &format!("claim {at}"), &vector);
        }
        Ok(())
    });
    let vector = random_vector(&mut random, 64);
    let one = graph.vector_search(&about(&vector)).unwrap();
    assert_eq!((one.results.len(), one.total_searched), (10, 500));
    assert_eq!(open(8, Access::Read).vector_search(&about(&vector)).unwrap(), one);
}
